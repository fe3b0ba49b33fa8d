public import SystemPackage

/// Decodes a part of a file as if it were the whole: its frames are counted from the part's beginning.
public final class SegmentDecoder: AudioDecoder {
  /// The format of the file.
  public let format: AudioFormat
  /// The number of frames of the part, or `nil` where neither the part nor the file says where it ends.
  public let frameCount: Int64?

  private let path: FilePath
  private let file: any AudioDecoder
  /// The first frame of the part in the file, and the frame behind its last.
  private let start: Int64
  private let end: Int64?
  /// The frame of the file that comes next.
  private var position: Int64
  /// Whether the file stands there, too.
  private var isFileInStep = true
  private var hasFileEnded = false

  /// The part `segment` of the file at `path`, which `file` decodes and which nothing else reads meanwhile.
  ///
  /// - Throws: `DecodingError` where the beginning of the part cannot be reached.
  public convenience init(
    _ file: any AudioDecoder, segment: SourceSegment, path: FilePath
  ) throws(DecodingError) {
    let start = segment.startFrame(at: file.format.sampleRate)
    if start > 0 { try file.seek(toFrame: start) }
    self.init(file, segment, path)
  }

  /// The part of a file that stands at its beginning already.
  private init(_ file: any AudioDecoder, _ segment: SourceSegment, _ path: FilePath) {
    self.path = path
    self.file = file
    format = file.format
    let start = segment.startFrame(at: format.sampleRate)
    let end = segment.endFrame(at: format.sampleRate)
    self.start = start
    self.end = end
    position = start
    let last = file.frameCount.map { min(end ?? $0, $0) } ?? end
    frameCount = last.map { max(0, $0 - start) }
  }

  /// That of the file.
  public var bitRate: Int? { file.bitRate }

  /// Why the file ended before the part does: what is wrong with it, or that more than a second is missing.
  public var failure: DecodingError? {
    guard hasFileEnded else { return nil }
    if let failure = file.failure { return failure }
    guard let end, end - position > Int64(format.sampleRate) else { return nil }
    return DecodingError(path: path, kind: .malformed, reason: "the file ends before the track does")
  }

  /// Fills the beginning of `buffer`, and gives the number of frames, 0 at the end of the part; see `AudioDecoder`.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard !hasFileEnded else { return 0 }
    var room = unsafe buffer
    if let end {
      let frames = Int(clamping: min(end - position, Int64(buffer.count / format.channels)))
      guard frames > 0 else { return 0 }
      unsafe room = UnsafeMutableBufferPointer(rebasing: buffer[..<(frames * format.channels)])
    }
    let count = unsafe max(0, file.read(into: room))
    position += Int64(count)
    if count == 0 { hasFileEnded = true }
    return count
  }

  /// Goes to `frame`, counted from the part's beginning; where the part ends earlier, to its end.
  ///
  /// - Throws: `DecodingError` where the file can no longer be read.
  public func seek(toFrame frame: Int64) throws(DecodingError) {
    let (sum, overflow) = start.addingReportingOverflow(max(0, frame))
    let target = overflow ? .max : sum
    hasFileEnded = false
    if let end, target >= end {
      // Nothing is read there.
      position = end
      isFileInStep = false
    } else {
      try file.seek(toFrame: target)
      position = target
      isFileInStep = true
    }
  }

  /// The part of the same file that begins where this one has been read to its end; `nil` for any other.
  ///
  /// It goes on reading where this one stopped, without opening or seeking, so that both together are exactly what the
  /// file holds, also in codings that give other samples after a seek. This one must not be used any more.
  public func successor(_ segment: SourceSegment) -> SegmentDecoder? {
    let isNext = segment.startFrame(at: format.sampleRate) == position && position == end
    guard isNext, isFileInStep else { return nil }
    return SegmentDecoder(file, segment, path)
  }
}
