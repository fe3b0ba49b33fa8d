import AudioCore

/// A stretch of the stream in which all sources have one shape, and are converted, if at all, by one converter. Belongs
/// to the decode thread.
final class StreamPart {
  enum Read {
    /// These frames.
    case frames(StreamFrames)
    /// The last source has given all; what is still in the converter waits for what follows.
    case sourceEnded
    /// Everything has come out.
    case done
  }

  /// A source whose frames come out of the converter.
  private struct Segment {
    /// The origin of its first frame.
    let origin: FrameOrigin
    /// The place of its first frame in the part.
    let start: Int64
  }

  /// The format of what comes out.
  let format: AudioFormat
  /// The source that is read.
  private(set) var reader: SourceReader
  private let converter: FormatConverter?
  /// The source that comes out, and those behind it.
  private var segments: [Segment]
  /// The frames that have come out.
  private var put: Int64 = 0
  /// Where the part ends, once its last source has ended.
  private var end: Int64?
  private var hasSourceEnded = false

  /// The part that begins with `reader`, converted by `converter` where there is one.
  init(_ reader: SourceReader, format: AudioFormat, converter: FormatConverter?) {
    self.reader = reader
    self.format = format
    self.converter = converter
    segments = [Segment(origin: reader.origin(isProcessed: true), start: 0)]
  }

  /// Whether its last frames come out as they are as soon as they are read.
  var endsAlone: Bool { converter == nil }

  /// Whether its end sounds otherwise where something else follows it.
  var hearsAhead: Bool { converter?.resamples == true }

  /// Whether `next` can go on in the same converter.
  func takes(_ next: SourceReader) -> Bool {
    converter != nil && next.format.shape == reader.format.shape
  }

  /// Goes on with `next` behind the source that has ended.
  func append(_ next: SourceReader) {
    guard let converter else { return }
    segments.append(Segment(origin: next.origin(isProcessed: true), start: converter.framesDue))
    reader = next
    hasSourceEnded = false
  }

  /// Ends the part behind the source that has ended. The stream goes on with `next`, frames at `rate` with its
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

  /// Where the frame that comes out next comes from.
  private var origin: FrameOrigin {
    guard converter != nil else { return reader.origin(isProcessed: false) }
    let segment = segments[0]
    return segment.origin.advanced(by: Int(clamping: put - segment.start), at: format.sampleRate)
  }

  /// Fills the beginning of `room`, as far as the source goes that comes out; gives 0 when the one that is read has
  /// ended.
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
  /// More than the longest filter hears, in frames.
  private static let frameLimit = 4096

  private var shape: StreamShape?
  private var samples: ArraySlice<Float> = []

  /// The stream goes on with these samples of frames of `shape`.
  mutating func add(_ new: UnsafeBufferPointer<Float>, of shape: StreamShape) {
    if self.shape != shape { samples = [] }
    self.shape = shape
    let limit = Self.frameLimit * shape.channels
    samples = unsafe (samples + new.suffix(limit)).suffix(limit)
  }

  /// The last frames, where they are of this shape.
  func frames(of shape: StreamShape) -> ArraySlice<Float> {
    shape == self.shape ? samples : []
  }
}
