// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import FormatSniffing

/// Recognises the format of what a server sends.
///
/// FFmpeg alone reads 100 KB and more of a station in MP3 or AAC, which begins in the middle of a frame: many seconds
/// where the server sends no more than is played. What the server says of its type helps, but counts only if the bytes
/// agree.
enum StreamFormat {
  /// How many bytes are read at first, and at most; twice as many each time.
  private static let lengths = (first: 2_048, last: 16_384)
  /// The highest score that the type alone gives a format, whatever the bytes are (FFmpeg's `AVPROBE_SCORE_MIME`).
  private static let typeScore: Int32 = 75
  /// The number of frames that must follow each other if the server says that they are there, and otherwise.
  private static let frameCounts = (announced: 2, other: 4)

  private static let types: [FrameChain.Coding: Set<String>] = [
    .mpeg: ["audio/mpeg", "audio/mp3", "audio/mpg", "audio/mpeg3", "audio/mpa", "audio/x-mpeg", "audio/x-mp3"],
    .aac: ["audio/aac", "audio/aacp", "audio/x-aac", "audio/x-aacp"],
  ]
  private static let demuxers: [FrameChain.Coding: String] = [.mpeg: "mp3", .aac: "aac"]

  /// How many bytes show whether the beginning is text.
  private static let textLength = 1_024

  /// What a server begins to send.
  enum Beginning {
    /// Text, such as a list of streams.
    case text
    /// Audio, if anything, which the demuxer of FFmpeg with this name reads; `nil` if FFmpeg has to recognise it.
    case audio(demuxer: String?)
  }

  /// Recognises what `connection` begins to send. Of frames without a container, skips what comes before the first
  /// whole one, where FFmpeg's demuxers may see frames that are none; otherwise skips nothing.
  static func beginning(of connection: ServerConnection) -> Beginning {
    var length = lengths.first
    while length <= lengths.last {
      // It reads so many bytes, and lets them be read again.
      var other: UnsafePointer<AVInputFormat>?
      let score = unsafe av_probe_input_buffer2(connection.input, &other, nil, nil, 0, UInt32(length))
      let bytes = connection.firstBytes(length)
      if isText(bytes.prefix(textLength)), !isHLS(bytes) { return .text }
      // Containers have frames of these codings, too. A tag at the beginning may contain anything.
      guard score <= typeScore, !bytes.starts(with: "ID3".utf8) else { return .audio(demuxer: nil) }
      for (coding, name) in demuxers {
        let isAnnounced = types[coding]?.contains(connection.contentType) ?? false
        let count = isAnnounced ? frameCounts.announced : frameCounts.other
        guard let offset = FrameChain.offset(of: coding, count: count, in: bytes) else { continue }
        unsafe avio_skip(connection.input, Int64(offset))
        return .audio(demuxer: name)
      }
      guard bytes.count == length else { break }
      length *= 2
    }
    return .audio(demuxer: nil)
  }

  /// Whether there are no control characters but those of text; true for no bytes.
  private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
  }

  /// Whether a list is one of HTTP Live Streaming (RFC 8216), which FFmpeg follows.
  private static func isHLS(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "#EXTM3U".utf8) && bytes.firstRange(of: Array("#EXT-X-".utf8)) != nil
  }
}
