public import AudioCore
import CSndfile
import Platform
public import SystemPackage

/// Decodes what libsndfile reads: WAV, W64, RF64, AIFF, AU, CAF, Ogg Vorbis, Ogg Opus and more; and with the libraries
/// that libsndfile itself is built on, MPEG audio (libmpg123) and FLAC (libFLAC).
///
/// What these get wrong is put right here: a length that nobody knows is never used, a seek that fails is done by
/// reading from the beginning, and streams that follow each other in one file are played one after the other.
public final class SndfileDecoder: AudioDecoder {
  /// The format of the frames.
  public let format: AudioFormat
  /// The number of frames that the file is said to hold, or `nil` where nobody knows.
  public let frameCount: Int64?

  /// How many bits a second the file takes for its sound, on the average.
  public let bitRate: Int?

  /// Why the file ended before the end that it states, or what was wrong with it on the way to its end.
  ///
  /// An error of the system or of a library, more than a second that is missing (a little less than is stated is common
  /// in good files), or damage that was passed over.
  public private(set) var failure: DecodingError?

  private let path: FilePath
  private let resamplers: ResamplerFactory?
  private var file: any OpenSound
  private var position: Int64 = 0
  private var isAtEnd = false
  private var hasJustSought = false

  /// Opens the file at `path`. Blocks as long as the file system does.
  ///
  /// With `resamplers`, an Ogg file of several streams is played at the sample rate of the first; without, streams of
  /// another rate end it, and that is its ``failure``.
  ///
  /// - Throws: `DecodingError` where it is no regular file, cannot be read, or is nothing that can be decoded.
  public init(path: FilePath, resamplers: ResamplerFactory? = nil) throws(DecodingError) {
    self.path = path
    self.resamplers = resamplers
    file = try SoundOpening.open(path, resamplers: resamplers)
    format = try file.format(of: path)
    frameCount = file.frameCount
    bitRate = file.bitRate
  }

  /// Fills the beginning of `buffer`, and gives the number of frames, 0 at the end; see `AudioDecoder`.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard !isAtEnd else { return 0 }
    var count = unsafe file.read(into: buffer)
    if count <= 0, hasJustSought, position < frameCount ?? 0, (try? readForward(to: position)) != nil {
      count = isAtEnd ? 0 : unsafe file.read(into: buffer)
    }
    hasJustSought = false
    guard count > 0 else {
      isAtEnd = true
      failure = file.problem(at: position)?.decodingError(
        path: path, at: position, of: frameCount, format: format)
      return 0
    }
    position += Int64(count)
    return count
  }

  /// Goes to `frame`, or to the end where the file ends earlier.
  ///
  /// - Throws: `DecodingError` where the file can no longer be read.
  public func seek(toFrame frame: Int64) throws(DecodingError) {
    let target = max(0, min(frame, frameCount ?? frame))
    failure = nil
    if target == frameCount {
      // Libraries fail to seek to the very end of some files.
      position = target
      isAtEnd = true
    } else if frameCount != nil, !isAtEnd, file.seek(toFrame: target) {
      position = target
      hasJustSought = true
    } else {
      try readForward(to: target)
    }
  }

  /// Opens the file anew: the one that is open, wherever it is now, or the one at its path, where that cannot be had.
  private func reopened() throws(DecodingError) -> any OpenSound {
    if let again = try? SoundOpening.open(path, place: file.file.place, resamplers: resamplers),
      isSameSound(again)
    {
      return again
    }
    let file = try SoundOpening.open(path, resamplers: resamplers)
    guard isSameSound(file) else {
      throw DecodingError(path: path, kind: .malformed, reason: "changed while it was played")
    }
    return file
  }

  private func isSameSound(_ other: any OpenSound) -> Bool {
    (try? other.format(of: path)) == format && other.frameCount == frameCount
  }

  /// Opens the file anew and reads up to `frame`, or to the end where the file ends earlier.
  private func readForward(to frame: Int64) throws(DecodingError) {
    file = try reopened()
    position = 0
    isAtEnd = false
    hasJustSought = false
    let skipped = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * format.channels)
    defer { unsafe skipped.deallocate() }
    while position < frame, !isAtEnd {
      let count = Int(clamping: min(4096, frame - position)) * format.channels
      _ = unsafe read(into: UnsafeMutableBufferPointer(rebasing: skipped[..<count]))
    }
  }
}
