// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CSndfile
import Platform
public import SystemPackage

/// A decoder for the formats of libsndfile: WAV, W64, RF64, AIFF, AU, CAF, Ogg Vorbis, Ogg Opus and more. MPEG audio
/// and FLAC are decoded directly by the libraries that libsndfile itself uses, libmpg123 and libFLAC.
///
/// It works around weaknesses of the libraries: an unknown length is never used, a seek that fails is replaced with
/// reading from the beginning, and consecutive streams in one file are played one after the other.
public final class SndfileDecoder: AudioDecoder {
  /// The format of the decoded frames.
  public let format: AudioFormat
  /// The number of frames that the file claims to contain; `nil` if it is unknown.
  public let frameCount: Int64?

  /// The average bit rate of the audio in the file, in bits per second; `nil` if it is unknown.
  public let bitRate: Int?

  /// The error that ended the file before its stated end, or what was wrong with the data before it; `nil` if there was
  /// none.
  ///
  /// It is an error of the system or of a library, more than a second of missing audio (good files often lack a little
  /// of the length that they state), or damage that was skipped.
  public private(set) var failure: DecodingError?

  private let path: FilePath
  private let resamplers: ResamplerFactory?
  private var file: any OpenFile
  private var position: Int64 = 0
  private var isAtEnd = false
  private var isFirstReadAfterSeek = false

  /// Opens the file at `path`. Blocks as long as the file system does.
  ///
  /// - Parameter resamplers: A factory of resamplers for an Ogg file of several streams, which is played at the sample
  ///   rate of the first. If `nil`, a stream of another rate ends the file and sets ``failure``.
  /// - Throws: `DecodingError` if the file is not a regular one, cannot be read, or cannot be decoded.
  public init(path: FilePath, resamplers: ResamplerFactory? = nil) throws(DecodingError) {
    self.path = path
    self.resamplers = resamplers
    file = try SoundOpening.open(path, resamplers: resamplers)
    format = try file.format(of: path)
    frameCount = file.frameCount
    bitRate = file.bitRate
  }

  /// Fills the beginning of `buffer` with the next frames; returns their number, 0 at the end.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard !isAtEnd else { return 0 }
    var count = unsafe file.read(into: buffer)
    if count <= 0, isFirstReadAfterSeek, position < frameCount ?? 0, (try? readForward(to: position)) != nil {
      count = isAtEnd ? 0 : unsafe file.read(into: buffer)
    }
    isFirstReadAfterSeek = false
    guard count > 0 else {
      isAtEnd = true
      failure = file.problem(at: position)?.decodingError(
        path: path, at: position, of: frameCount, format: format)
      return 0
    }
    position += Int64(count)
    return count
  }

  /// Seeks to `frame`, counted from 0, or to the end of the file if that is earlier.
  ///
  /// - Throws: `DecodingError` if the file can no longer be read.
  public func seek(toFrame frame: Int64) throws(DecodingError) {
    let target = max(0, min(frame, frameCount ?? frame))
    failure = nil
    if target == frameCount {
      // The libraries fail to seek to the very end of some files.
      position = target
      isAtEnd = true
    } else if frameCount != nil, !isAtEnd, file.seek(toFrame: target) {
      position = target
      isFirstReadAfterSeek = true
    } else {
      try readForward(to: target)
    }
  }

  /// Opens the file again: preferably the one that is open, whatever its name is now, otherwise the one at its path.
  private func reopened() throws(DecodingError) -> any OpenFile {
    if let again = try? SoundOpening.open(path, openPath: file.file.openPath, resamplers: resamplers),
      isSameSound(again)
    {
      return again
    }
    let file = try SoundOpening.open(path, resamplers: resamplers)
    guard isSameSound(file) else {
      throw DecodingError(path: path, kind: .malformed, reason: "changed during playback")
    }
    return file
  }

  private func isSameSound(_ other: any OpenFile) -> Bool {
    (try? other.format(of: path)) == format && other.frameCount == frameCount
  }

  /// Opens the file again and reads up to `frame`, or to the end of the file if that is earlier.
  private func readForward(to frame: Int64) throws(DecodingError) {
    file = try reopened()
    position = 0
    isAtEnd = false
    isFirstReadAfterSeek = false
    let skipped = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * format.channels)
    defer { unsafe skipped.deallocate() }
    while position < frame, !isAtEnd {
      let count = Int(clamping: min(4096, frame - position)) * format.channels
      _ = unsafe read(into: UnsafeMutableBufferPointer(rebasing: skipped[..<count]))
    }
  }
}
