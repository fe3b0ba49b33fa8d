// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol

/// What is different if the audio comes from a server.
extension AudioDemuxer {
  /// Whether a server can be asked for any part of its audio.
  var isSeekable: Bool {
    guard let context = unsafe context, unsafe context.pointee.duration > 0,
      unsafe context.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE == 0
    else { return false }
    let connection = unsafe context.pointee.pb?.pointee.seekable ?? 0
    return containerName.hasPrefix("hls") || connection & AVIO_SEEKABLE_NORMAL != 0
  }

  /// Whether seeking has to read everything on the way. Of HLS in pieces of MP4, which are known by their codec tags,
  /// FFmpeg reads nothing after a seek, as its demuxer of MP4 does not know that the position has changed.
  var seeksByReading: Bool {
    let codecTag = unsafe stream.pointee.codecpar.pointee.codec_tag
    return containerName.hasPrefix("hls") && codecTag > 0xFF_FFFF
  }

  /// Connects to the server again, for the same audio from its beginning; returns `nil` if that fails.
  func again(options: [String: String] = [:], readsHeaderAlone: Bool = false) -> AudioDemuxer? {
    guard let wait, let address = unsafe context?.pointee.url else { return nil }
    return try? AudioDemuxer(
      unsafe ServerConnection(String(cString: address), wait), demuxer: nil, options: options,
      readsHeaderAlone: readsHeaderAlone, wait: wait)
  }

  /// Returns `count` bytes at `offset` of what a server sends, or fewer at the end. Nothing else can be read after it.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard let connection, unsafe avio_seek(connection.input, offset, SEEK_SET) == offset else { return [] }
    return connection.read(count)
  }

  /// Whether a server sends a stream without an end: a live one in HLS, or one with the headers of SHOUTcast.
  var isEndless: Bool {
    if containerName.hasPrefix("hls") { return unsafe (context?.pointee.duration ?? 0) <= 0 }
    return connection.map { $0.hasStationHeaders && !$0.hasByteCount } ?? false
  }

  /// Whether a server has closed the connection before the end that it had stated, or anything else has ended it but
  /// the server. Without a length, FFmpeg takes the end for an error of the input.
  var isConnectionLost: Bool {
    endError.map { $0 != SegueAVErrorInput || connection?.hasByteCount ?? false } ?? false
  }

  /// Forgets the tags of the audio stream: to some, FFmpeg would append those of the next title.
  func forgetStreamTags() { unsafe av_dict_free(&stream.pointee.metadata) }

  /// Whether tags have changed since the last call.
  func takeTagChange() -> Bool {
    guard let context = unsafe context else { return false }
    let isChanged =
      unsafe (context.pointee.event_flags | stream.pointee.event_flags) & AVFMT_EVENT_FLAG_METADATA_UPDATED
    unsafe context.pointee.event_flags &= ~AVFMT_EVENT_FLAG_METADATA_UPDATED
    unsafe stream.pointee.event_flags &= ~AVSTREAM_EVENT_FLAG_METADATA_UPDATED
    return isChanged != 0
  }
}
