// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// A part of the stream whose sources all have one shape and share one converter, if any. Belongs to the decode thread.
final class StreamPart {
  enum Read {
    /// Frames.
    case frames(StreamFrames)
    /// The last source has ended; the frames left in the converter depend on what follows.
    case sourceEnded
    /// The end of the part.
    case done
  }

  /// A source whose frames come out of the converter.
  private struct Segment {
    /// The origin of its first frame.
    let origin: FrameOrigin
    /// The position of its first frame in the part.
    let start: Int64
  }

  /// The format of the part's frames.
  let format: AudioFormat
  /// The source that is being read.
  private(set) var reader: SourceReader
  private let converter: FormatConverter?
  /// The source whose frames come out next, and those after it.
  private var segments: [Segment]
  /// The number of frames that have come out.
  private var put: Int64 = 0
  /// The end of the part, known once its last source has ended.
  private var end: Int64?
  private var hasSourceEnded = false

  /// Creates a part that begins with `reader` and is converted by `converter`, if there is one.
  init(_ reader: SourceReader, format: AudioFormat, converter: FormatConverter?) {
    self.reader = reader
    self.format = format
    self.converter = converter
    segments = [Segment(origin: reader.origin(isProcessed: true), start: 0)]
  }

  /// Whether its last frames do not depend on what follows.
  var endsAlone: Bool { converter == nil }

  /// Whether its last frames depend on what follows, because a filter looks ahead.
  var hearsAhead: Bool { converter?.resamples == true }

  /// Whether `next` can continue in the same converter.
  func takes(_ next: SourceReader) -> Bool {
    converter != nil && next.format.shape == reader.format.shape
  }

  /// Continues with `next` after the source that has ended.
  func append(_ next: SourceReader) {
    guard let converter else { return }
    segments.append(Segment(origin: next.origin(isProcessed: true), start: converter.framesDue))
    reader = next
    hasSourceEnded = false
  }

  /// Ends the part after the source that has ended. The stream continues with `next`, frames at `rate` with the part's
  /// channels.
  func finish(before next: ArraySlice<Float> = [], at rate: Int = 1) {
    guard end == nil else { return }
    end = converter?.framesDue ?? put
    converter?.finish(before: next, at: rate)
  }

  /// Fills the beginning of `room` with frames of one source.
  func read(into room: UnsafeMutableBufferPointer<Float>) -> Read {
    if let end, put >= end { return .done }
    if hasSourceEnded, end == nil { return .sourceEnded }
    while segments.count > 1, segments[1].start <= put { segments.removeFirst() }
    var frames = StreamFrames(origin: origin, format: format, count: 0)
    frames.count = unsafe fill(room)
    put += Int64(frames.count)
    if frames.count > 0 { return .frames(frames) }
    hasSourceEnded = true
    return end == nil ? .sourceEnded : .done
  }

  /// The origin of the next frame.
  private var origin: FrameOrigin {
    guard converter != nil else { return reader.origin(isProcessed: false) }
    let segment = segments[0]
    return segment.origin.advanced(by: Int(clamping: put - segment.start), at: format.sampleRate)
  }

  /// Fills the beginning of `room`, up to the end of the source whose frames come out; returns 0 if the source that is
  /// being read has ended.
  private func fill(_ room: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let converter else { return unsafe reader.read(into: room) }
    let limit = segments.count > 1 ? segments[1].start : end ?? .max
    let capacity = min(room.count / format.channels, Int(clamping: limit - put))
    let piece = unsafe UnsafeMutableBufferPointer(rebasing: room[..<(capacity * format.channels)])
    return unsafe end == nil ? converter.read(from: reader, into: piece) : converter.drain(into: piece)
  }
}

/// The last frames of a stream, as long as its shape stays the same. Belongs to the decode thread.
struct StreamTail {
  /// The number of frames: more than the length of the longest filter.
  private static let frameLimit = 4096

  private var shape: StreamShape?
  private var samples: ArraySlice<Float> = []

  /// Appends samples of frames of `shape`.
  mutating func add(_ new: UnsafeBufferPointer<Float>, of shape: StreamShape) {
    if self.shape != shape { samples = [] }
    self.shape = shape
    let limit = Self.frameLimit * shape.channels
    samples = unsafe (samples + new.suffix(limit)).suffix(limit)
  }

  /// Returns the last frames if they are of this shape.
  func frames(of shape: StreamShape) -> ArraySlice<Float> {
    shape == self.shape ? samples : []
  }
}
