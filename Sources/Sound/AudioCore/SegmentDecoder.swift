// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A decoder that presents a part of a file as if it were a whole file: frames are counted from the beginning of the
/// part.
public final class SegmentDecoder: AudioDecoder {
  /// The format of the file.
  public let format: AudioFormat
  /// The number of frames in the part; `nil` if neither the part nor the file states its end.
  public var frameCount: Int64? {
    let last = file.frameCount.map { min(end ?? $0, $0) } ?? end
    return last.map { max(0, $0 - start) }
  }

  private let path: FilePath
  private let segment: SourceSegment
  private let file: any AudioDecoder
  /// The first frame of the part, counted from the beginning of the file.
  private let start: Int64
  /// The frame after the last one of the part; `nil` if the part extends to the end of the file.
  private let end: Int64?
  /// The next frame to read, counted from the beginning of the file.
  private var position: Int64
  /// Whether the file's decoder is at `position`: after a seek to the end of the part it is not.
  private var isFilePositioned = true
  private var hasFileEnded = false
  /// What the file has said last, and what it means for the part.
  private var lastText: (ofFile: SourceText, ofPart: SourceText?)?

  /// Creates a decoder for `segment` of the file at `path`, which `file` decodes. Nothing else may use `file`
  /// meanwhile.
  ///
  /// - Throws: `DecodingError` if the beginning of the part cannot be reached.
  public convenience init(
    _ file: any AudioDecoder, segment: SourceSegment, path: FilePath
  ) throws(DecodingError) {
    let start = segment.startFrame(at: file.format.sampleRate)
    if start > 0 { try file.seek(toFrame: start) }
    self.init(file, segment, path)
  }

  /// Creates a decoder for a part whose beginning `file` has already reached.
  private init(_ file: any AudioDecoder, _ segment: SourceSegment, _ path: FilePath) {
    self.path = path
    self.segment = segment
    self.file = file
    format = file.format
    start = segment.startFrame(at: format.sampleRate)
    end = segment.endFrame(at: format.sampleRate)
    position = start
  }

  /// Whether the file has ended within the part, and contains more now.
  public var hasGrown: Bool { hasFileEnded && file.hasGrown }

  public var bitRate: Int? { file.bitRate }

  public var library: DecodingLibrary? { file.library }

  public var codec: CodecName? { file.codec }

  /// Whether any frame of the file can be reached.
  public var isSeekable: Bool { file.isSeekable }

  /// What the file says of the last frames, with chapters that are counted from the beginning of the part. The chapters
  /// of the file are not those of a track.
  public var text: SourceText? {
    guard var text = file.text, !text.chapters.isEmpty else { return file.text }
    if let last = lastText, last.ofFile == text { return last.ofPart }
    let whole = text
    if segment.isTrack {
      (text.chapters, text.chapterIndex) = ([], nil)
    } else {
      text = text.ofPart(
        from: format.duration(ofFrames: start), to: end.map { format.duration(ofFrames: $0) })
    }
    let part = text == SourceText() ? nil : text
    lastText = (whole, part)
    return part
  }

  /// Lets reading the file return early.
  public func setInterruption(_ isInterrupted: @escaping () -> Bool) { file.setInterruption(isInterrupted) }

  /// The error that ended the file before the end of the part: what is wrong with the file, or that more than a second
  /// is missing. `nil` if there was none.
  public var failure: DecodingError? {
    guard hasFileEnded else { return nil }
    if let failure = file.failure { return failure }
    guard let end, end - position > Int64(format.sampleRate) else { return nil }
    return DecodingError(path: path, kind: .malformed, reason: "the file ends before the track does")
  }

  /// Fills the beginning of `buffer`; returns the number of frames, 0 at the end of the part.
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

  /// Seeks to `frame`, counted from the beginning of the part, or to the end of a shorter part.
  ///
  /// - Throws: `DecodingError` if the file can no longer be read.
  public func seek(toFrame frame: Int64) throws(DecodingError) {
    let (sum, overflow) = start.addingReportingOverflow(max(0, frame))
    let target = overflow ? .max : sum
    hasFileEnded = false
    if let end, target >= end {
      // Nothing will be read there.
      position = end
      isFilePositioned = false
    } else {
      try file.seek(toFrame: target)
      position = target
      isFilePositioned = true
    }
  }

  /// Returns a decoder for the same part of the file that converts DSD to PCM.
  ///
  /// - Throws: `DecodingError` if the file cannot be converted.
  public func pcmDecoder() throws(DecodingError) -> (any AudioDecoder)? {
    guard let file = try file.pcmDecoder() else { return nil }
    return try SegmentDecoder(file, segment: segment, path: path)
  }

  /// Returns a decoder for `segment` if that part of the same file begins where this one has been read to its end;
  /// `nil` for any other part.
  ///
  /// It continues reading without opening or seeking. So both together give exactly the samples of the file, even in
  /// codings that decode differently after a seek. This decoder must not be used afterwards.
  public func successor(_ segment: SourceSegment) -> SegmentDecoder? {
    let isNext = segment.startFrame(at: format.sampleRate) == position && position == end
    guard isNext, isFilePositioned else { return nil }
    return SegmentDecoder(file, segment, path)
  }
}
