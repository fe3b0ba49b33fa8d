// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// A part of the stream whose sources all have one shape, and share one converter, if any. Used only on the decode
/// thread.
final class StreamPart {
  enum PartResult {
    case frames(StreamFrames)
    /// The last source has ended; the frames left in the converter depend on the next source.
    case sourceEnded
    /// The part has ended.
    case done
  }

  /// A source of the part, as it comes out of the converter.
  private struct Segment {
    /// The origin of the first frame of the source.
    let origin: FrameOrigin
    /// The position of that frame in the part.
    let start: Int64
  }

  let format: AudioFormat
  private(set) var reader: SourceReader
  private let converter: FormatConverter?
  /// The source whose frames come out of the converter next, and those after it.
  private var segments: [Segment]
  /// The number of frames that have come out of the converter.
  private var produced: Int64 = 0
  /// The end of the part, in frames; `nil` until its last source has ended.
  private var end: Int64?
  private var hasSourceEnded = false
  /// The number of frames after which the part ends, even if its source does not; `nil` for none.
  var limit: Int64?

  /// Creates a part that begins with `reader`. If `converter` is not `nil`, it converts the part.
  init(_ reader: SourceReader, format: AudioFormat, converter: FormatConverter?) {
    self.reader = reader
    self.format = format
    self.converter = converter
    segments = [Segment(origin: reader.origin(isProcessed: true), start: 0)]
  }

  /// Whether the last frames of the part are independent of the next source.
  var endIsFinal: Bool { converter == nil }

  /// Whether the last frames of the part depend on the next source, because a filter looks ahead.
  var looksAhead: Bool { converter?.resamples == true }

  /// Whether `next` can continue with the same converter.
  func accepts(_ next: SourceReader) -> Bool {
    converter != nil && next.format.shape == reader.format.shape
  }

  /// Continues the part with `next`, after the source that has ended.
  func append(_ next: SourceReader) {
    guard let converter else { return }
    segments.append(Segment(origin: next.origin(isProcessed: true), start: converter.framesDue))
    reader = next
    hasSourceEnded = false
  }

  /// Continues the part with the passage of its last source that is repeated; returns whether there is one.
  func repeatPassage() -> Bool {
    guard reader.repeatPassage() else { return false }
    if let converter {
      segments.append(Segment(origin: reader.origin(isProcessed: true), start: converter.framesDue))
    }
    hasSourceEnded = false
    return true
  }

  /// Ends the part after the source that has ended. The stream continues with the frames in `next`, at `rate` and with
  /// the part's channels.
  func finish(before next: ArraySlice<Float> = [], at rate: Int = 1) {
    guard end == nil else { return }
    end = converter?.framesDue ?? produced
    converter?.finish(before: next, at: rate)
  }

  /// Fills the beginning of `room` with frames of one source.
  func read(into room: UnsafeMutableBufferPointer<Float>) -> PartResult {
    if let end, produced >= end { return .done }
    if let limit, hasSourceEnded || produced >= limit { return .done }
    if hasSourceEnded, end == nil { return .sourceEnded }
    while segments.count > 1, segments[1].start <= produced { segments.removeFirst() }
    var frames = StreamFrames(origin: origin, format: format, count: 0)
    let rest = limit.map { Int(clamping: $0 - produced) * format.channels } ?? .max
    frames.count = unsafe fill(UnsafeMutableBufferPointer(rebasing: room[..<min(room.count, rest)]))
    produced += Int64(frames.count)
    if frames.count > 0 { return .frames(frames) }
    hasSourceEnded = true
    return end == nil && limit == nil ? .sourceEnded : .done
  }

  private var origin: FrameOrigin {
    guard converter != nil else { return reader.origin(isProcessed: false) }
    let segment = segments[0]
    var origin = segment.origin.advanced(by: Int(clamping: produced - segment.start), at: format.sampleRate)
    if segments.count == 1 { origin.frameCount = reader.frameCount }
    return origin
  }

  /// Fills the beginning of `room`, up to the end of the source whose frames come out of the converter; returns 0 if
  /// the source that is being read has ended.
  private func fill(_ room: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let converter else { return unsafe reader.read(into: room) }
    let limit = segments.count > 1 ? segments[1].start : end ?? .max
    let capacity = min(room.count / format.channels, Int(clamping: limit - produced))
    let piece = unsafe UnsafeMutableBufferPointer(rebasing: room[..<(capacity * format.channels)])
    return unsafe end == nil ? converter.read(from: reader, into: piece) : converter.drain(into: piece)
  }
}

/// What was playing when another source was started, and fades out meanwhile.
struct OutgoingSource: Sendable, Equatable {
  let source: PlaybackSource
  /// The position from which it fades out.
  let position: Duration
  let length: Duration
}

/// An open source that begins when the part of the stream before it is finished.
struct UpcomingSource {
  let reader: SourceReader
  let format: AudioFormat
  let transition: Transition
}

/// A source after which the stream has already continued.
struct PlayedSource {
  let source: PlaybackSource
  /// Whether its last frames are independent of the next source.
  let endIsFinal: Bool
  /// The position at which it has ended; `nil` if the end cannot fade out.
  let end: Duration?
  /// How it was to be joined to the next source.
  let transition: Transition
}

/// The last frames of a stream, as long as its shape stays the same. Used only on the decode thread.
struct StreamTail {
  /// The maximum number of frames to store: more than the length of the longest filter.
  private static let frameLimit = 4096

  private var shape: StreamShape?
  private var samples: ArraySlice<Float> = []

  /// Appends the samples of frames of this shape.
  mutating func add(_ new: UnsafeBufferPointer<Float>, of shape: StreamShape) {
    if self.shape != shape { samples = [] }
    self.shape = shape
    let limit = Self.frameLimit * shape.channels
    samples = unsafe (samples + new.suffix(limit)).suffix(limit)
  }

  /// Returns the last frames if they are of this shape; otherwise none.
  func frames(of shape: StreamShape) -> ArraySlice<Float> {
    shape == self.shape ? samples : []
  }
}
