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

  /// Returns FFmpeg's demuxer for what `connection` sends, if these are frames without a container, and skips what
  /// comes before the first whole one, where FFmpeg's demuxers may see frames that are none. Otherwise returns `nil`,
  /// and skips nothing.
  static func demuxer(of connection: UnsafeMutablePointer<AVIOContext>) -> UnsafePointer<AVInputFormat>? {
    let type = unsafe contentType(of: connection)
    var length = lengths.first
    while length <= lengths.last {
      // It reads so many bytes, and lets them be read again.
      var other: UnsafePointer<AVInputFormat>?
      let score = unsafe av_probe_input_buffer2(connection, &other, nil, nil, 0, UInt32(length))
      // Containers have frames of these codings, too.
      guard score <= typeScore else { return nil }
      let bytes = unsafe firstBytes(of: connection, length)
      // A tag at the beginning may contain anything.
      guard !bytes.starts(with: "ID3".utf8) else { return nil }
      for (coding, name) in demuxers {
        let isAnnounced = types[coding]?.contains(type) ?? false
        let count = isAnnounced ? frameCounts.announced : frameCounts.other
        guard let offset = FrameChain.offset(of: coding, count: count, in: bytes) else { continue }
        unsafe avio_skip(connection, Int64(offset))
        return unsafe av_find_input_format(name)
      }
      guard bytes.count == length else { return nil }
      length *= 2
    }
    return nil
  }

  /// Returns the type that the server states, without parameters; empty if it states none.
  private static func contentType(of connection: UnsafeMutablePointer<AVIOContext>) -> String {
    var value: UnsafeMutablePointer<UInt8>?
    defer { unsafe av_free(value) }
    guard unsafe av_opt_get(connection, "mime_type", AV_OPT_SEARCH_CHILDREN, &value) >= 0, let text = unsafe value
    else {
      return ""
    }
    return unsafe String(cString: text).lowercased().prefix { $0 != ";" && !$0.isWhitespace }.description
  }

  /// Returns the first `count` bytes, which were read before, or fewer at the end.
  private static func firstBytes(of connection: UnsafeMutablePointer<AVIOContext>, _ count: Int) -> [UInt8] {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe Int(max(0, avio_read(connection, buffer.baseAddress, Int32(clamping: buffer.count))))
    }
    unsafe avio_seek(connection, 0, SEEK_SET)
    return bytes
  }
}
