import AudioCore

/// A stretch of the stream in which all sources have one shape, and are converted, if at all, by one converter. Belongs to the
/// decode thread.
final class StreamPart {
  enum Read {
    /// These frames.
    case frames(StreamFrames)
    /// The last source has given all; what is still in the converter waits for what follows.
    case sourceEnded
    /// Everything has come out.
    case done
  }

  /// A source within the part.
  private struct Segment {
    let reader: SourceReader
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
    segments = [Segment(reader: reader, origin: reader.origin(isProcessed: converter != nil), start: 0)]
  }

  /// Whether `next` can go on in the same converter.
  func takes(_ next: SourceReader) -> Bool {
    converter != nil && next.format.shape == reader.format.shape
  }

  /// Goes on with `next` behind the source that has ended.
  func append(_ next: SourceReader) {
    guard let converter else { return }
    segments.append(
      Segment(reader: next, origin: next.origin(isProcessed: true), start: converter.framesDue))
    reader = next
    hasSourceEnded = false
  }

  /// Ends the part behind the source that has ended. What follows it sounds like `next`, as frames of the source's own shape.
  func finish(before next: ArraySlice<Float> = []) {
    guard end == nil else { return }
    end = converter?.framesDue ?? put
    converter?.finish(before: next)
  }

  /// Fills the beginning of `room`.
  func read(into room: UnsafeMutableBufferPointer<Float>) -> Read {
    let wasFirst = put
    var origin = segments[0].origin
    guard let converter else {
      if hasSourceEnded || end != nil { return end == nil ? .sourceEnded : .done }
      origin = reader.origin(isProcessed: false)
      let count = unsafe reader.read(into: room)
      put += Int64(count)
      hasSourceEnded = count == 0
      return count == 0 ? .sourceEnded : .frames(StreamFrames(origin: origin, format: format, count: count))
    }
    if let end, put >= end { return .done }
    if segments.count > 1, segments[1].start <= put {
      segments.removeFirst()
      origin = segments[0].origin
    }
    let limit = segments.count > 1 ? segments[1].start : end ?? .max
    let capacity = Int(clamping: min(limit - put, Int64(room.count / format.channels)))
    let piece = unsafe UnsafeMutableBufferPointer(rebasing: room[..<(capacity * format.channels)])
    let count: Int
    if hasSourceEnded && end == nil {
      return .sourceEnded
    } else if end != nil {
      count = unsafe converter.drain(into: piece)
    } else {
      count = unsafe converter.read(from: reader, into: piece)
    }
    put += Int64(count)
    guard count > 0 else {
      if end != nil { return .done }
      hasSourceEnded = true
      return .sourceEnded
    }
    let offset = Int(clamping: wasFirst - segments[0].start)
    origin = origin.advanced(by: offset, at: format.sampleRate)
    return .frames(StreamFrames(origin: origin, format: format, count: count))
  }
}
