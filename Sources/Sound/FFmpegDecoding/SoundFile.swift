// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
public import DecodingProtocol
public import SystemPackage

/// A decoder of one open audio file. Only one thread may use it.
public protocol SoundFileDecoder: AnyObject {
  /// The format and length of the audio. Changes in ``continueInNextFormat()``.
  var description: SoundDescription { get }

  /// The number of the next frame that ``read(into:)`` returns, counted from the beginning of the recording.
  var position: Int64 { get }

  /// What ended the file early, or what was wrong with it; `nil` if nothing was. Valid after ``read(into:)`` has
  /// returned 0.
  var failure: DecodingRefusal? { get }

  /// What the audio says of the frames that ``read(into:)`` returned last; `nil` if it says nothing.
  var names: SourceNames? { get }

  /// The tags of a file; empty for a stream.
  var tags: SourceTags { get }

  /// The chapters of a file; empty for a stream.
  var chapters: SourceMarks { get }

  /// The picture in the audio, if the player cannot read it itself: at most `DecodingBlock.contentLimit` bytes.
  var picture: [UInt8]? { get }

  /// Fills the beginning of `buffer` with the next frames, interleaved; returns their number, 0 at the end. `buffer`
  /// has room for at least one frame.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int

  /// Continues with what follows in another format, if ``read(into:)`` has returned 0 because of that; otherwise
  /// returns `false`. Frames are then counted at the new sample rate.
  func continueInNextFormat() -> Bool

  /// Seeks to `frame`, or to the end of the file if that is earlier.
  ///
  /// - Throws: `DecodingRefusal` if the file can no longer be decoded.
  func seek(toFrame frame: Int64) throws(DecodingRefusal)
}

extension SoundFileDecoder {
  /// The default: `nil`.
  public var names: SourceNames? { nil }

  /// The default: none.
  public var tags: SourceTags { SourceTags() }

  /// The default: none.
  public var chapters: SourceMarks { SourceMarks() }

  /// The default: `nil`.
  public var picture: [UInt8]? { nil }

  /// The default: `false`, for audio of one format.
  public func continueInNextFormat() -> Bool { false }
}

/// Opens audio files, and addresses.
public enum SoundFile {
  /// The sample rates that are accepted, in Hz.
  static let sampleRates: ClosedRange<Int64> = 1...768_000
  /// The numbers of channels that are accepted.
  static let channelCounts = 1...8

  /// Opens the audio in the file of `descriptor`, which must stay open as long as the decoder exists.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - onProgress: Called again and again while a file is read; long files may take long to open, and to seek in.
  /// - Throws: `DecodingRefusal` if the file cannot be decoded.
  public static func open(
    _ descriptor: FileDescriptor, onProgress: @escaping () -> Void = {}
  ) throws(DecodingRefusal) -> any SoundFileDecoder {
    let decoder = try FFmpegDecoder(descriptor, onProgress: onProgress)
    return decoder.isDSD ? DSDDecoder(decoder) : decoder
  }

  /// Returns the first picture in the file of `descriptor`, of at most `limit` bytes; `nil` if there is none.
  ///
  /// - Throws: `DecodingRefusal` if the file cannot be read.
  public static func picture(in descriptor: FileDescriptor, limit: Int) throws(DecodingRefusal) -> [UInt8]? {
    av_log_set_level(AV_LOG_QUIET)
    return try AudioDemuxer(descriptor, readsHeaderAlone: true).picture(limit: limit)
  }

  /// Opens the audio that a server sends from `address`, or the first stream that works of the list that it sends.
  ///
  /// - Throws: ``StreamFailure`` if the server cannot be reached, or if it sends no audio, or a list of several parts.
  public static func open(
    address: String, wait: NetworkWait
  ) throws(StreamFailure) -> any SoundFileDecoder {
    try StreamDecoder(address: address, wait: wait)
  }
}
