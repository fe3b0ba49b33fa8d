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
  /// The name and version of libsndfile, such as "libsndfile-1.2.0".
  public static var libraryVersion: String { unsafe String(cString: sf_version_string()) }

  /// The format of the decoded frames.
  public let format: AudioFormat
  /// The number of frames that the file claims to contain, as far as it has been read; `nil` if it is unknown.
  public private(set) var frameCount: Int64?

  /// Whether the file contains more since it was read to its end: a recording that is still being made.
  public var hasGrown: Bool { isAtEnd && longerFile() != nil }

  /// The average bit rate of the audio in the file, in bits per second; `nil` if it is unknown.
  public let bitRate: Int?
  /// The library that decodes the audio.
  public var library: DecodingLibrary? { file.library }

  /// The error that ended the file before its stated end, or what was wrong with the data before it; `nil` if there was
  /// none.
  ///
  /// It is an error of the system or of a library, more than a second of missing audio (good files often lack a little
  /// of the length that they state), or damage that was skipped.
  public private(set) var failure: DecodingError?

  private let path: FilePath
  /// The frame before which this decoder cannot seek, because the file has another format there.
  private let firstFrame: Int64
  private var file: any OpenFile
  private var position: Int64
  private var isAtEnd = false
  private var isFirstReadAfterSeek = false

  /// Opens the file at `path`. Blocks as long as the file system does.
  ///
  /// - Throws: `DecodingError` if the file is not a regular one, cannot be read, or cannot be decoded.
  public convenience init(path: FilePath) throws(DecodingError) {
    try self.init(path, SoundOpening.open(path), firstFrame: 0)
  }

  private init(_ path: FilePath, _ file: any OpenFile, firstFrame: Int64) throws(DecodingError) {
    self.path = path
    self.file = file
    self.firstFrame = firstFrame
    position = firstFrame
    format = try file.format(of: path)
    frameCount = file.frameCount
    bitRate = file.bitRate
  }

  /// Fills the beginning of `buffer` with the next frames; returns their number, 0 at the end.
  public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard !isAtEnd else { return 0 }
    var count = unsafe file.read(into: buffer)
    if count <= 0, isFirstReadAfterSeek, position < frameCount ?? 0, !isAtOtherFormat,
      (try? readForward(to: position)) != nil
    {
      count = isAtEnd ? 0 : unsafe file.read(into: buffer)
    }
    isFirstReadAfterSeek = false
    if count <= 0, let longer = longerFile() {
      file = longer
      frameCount = longer.frameCount
      count = unsafe file.read(into: buffer)
    }
    guard count > 0 else {
      isAtEnd = true
      failure = file.problem(at: position)?.decodingError(
        path: path, at: position, of: frameCount, format: format)
      return 0
    }
    position += Int64(count)
    return count
  }

  /// Returns a decoder for the rest of a chained Ogg file whose next stream has another format, and the number of its
  /// first frame; `nil` at the end of the file. See `AudioDecoder`.
  public func continuation() throws(DecodingError) -> (decoder: any AudioDecoder, firstFrame: Int64)? {
    guard isAtEnd else { return nil }
    let rest: (sound: ChainedSound, firstFrame: Int64)?
    do throws(SndfileError) {
      rest = try (file as? ChainedSound)?.rest()
    } catch {
      throw error.decodingError(opening: path)
    }
    guard let rest else { return nil }
    return (try SndfileDecoder(path, rest.sound, firstFrame: rest.firstFrame), rest.firstFrame)
  }

  /// Whether reading has ended where the file continues in another format.
  private var isAtOtherFormat: Bool { (file as? ChainedSound)?.hasRest ?? false }

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
    } else if frameCount != nil, !isAtEnd || file.seeksAtEnd, target >= firstFrame, file.seek(toFrame: target) {
      position = target
      isAtEnd = false
      isFirstReadAfterSeek = true
    } else {
      try readForward(to: target)
    }
  }

  /// Opens the file again, whatever its name is now.
  private func reopened() throws(DecodingError) -> any OpenFile {
    guard firstFrame == 0 else {
      throw DecodingError(path: path, kind: .unsupported, reason: "cannot seek to audio in another format")
    }
    let file = try openedAgain()
    guard isSameSound(file) || isLonger(file) else {
      throw DecodingError(path: path, kind: .malformed, reason: "changed during playback")
    }
    return file
  }

  private func openedAgain() throws(DecodingError) -> any OpenFile {
    try SoundOpening.open(path, openPath: file.file.descriptor.path(preferring: path))
  }

  private func isSameSound(_ other: any OpenFile) -> Bool {
    (try? other.format(of: path)) == format && other.frameCount == frameCount
  }

  /// Returns the open file at ``position``, opened again, if it has grown since, and states more frames now: a
  /// recording that is still being made. Otherwise returns `nil`.
  private func longerFile() -> (any OpenFile)? {
    guard firstFrame == 0, let frameCount, file.file.hasGrown,
      let again = try? openedAgain(), isLonger(again),
      again.frameCount ?? 0 > max(position, frameCount), again.seek(toFrame: position)
    else { return nil }
    return again
  }

  /// Whether `other`, which is the open file, has grown.
  private func isLonger(_ other: any OpenFile) -> Bool {
    guard let frameCount, let count = other.frameCount else { return false }
    return (try? other.format(of: path)) == format && count > frameCount
  }

  /// Opens the file again and reads up to `frame`, or to the end of the file if that is earlier.
  private func readForward(to frame: Int64) throws(DecodingError) {
    file = try reopened()
    frameCount = file.frameCount
    position = 0
    isAtEnd = false
    isFirstReadAfterSeek = false
    let skipped = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * format.channels)
    defer { unsafe skipped.deallocate() }
    while position < frame, !isAtEnd {
      let count = Int(clamping: min(4096, frame - position)) * format.channels
      _ = unsafe read(into: UnsafeMutableBufferPointer(rebasing: skipped[..<count]))
    }
    guard position < frame, let chained = file as? ChainedSound, chained.hasRest else { return }
    chained.skipInRest(frame - position)
    position = frame
  }
}
