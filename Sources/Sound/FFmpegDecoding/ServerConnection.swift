// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol
import Synchronization
import SystemPackage

/// A connection to a server that has begun to answer. FFmpeg opens further ones by itself: for HLS, one for every
/// piece. Only one thread may use it.
@safe final class ServerConnection {
  /// What applies to every connection. FFmpeg accepts invalid certificates by default, and would open files.
  private static let options: [String: String] = {
    var options = [
      "protocol_whitelist": "http,https,tcp,tls,httpproxy,crypto", "tls_verify": "1", "user_agent": "segue",
      // In microseconds, for connections of TCP.
      "timeout": "20000000",
    ]
    // Not all builds of FFmpeg know where the system keeps them.
    options["ca_file"] = certificateFiles.first { file in
      guard let descriptor = try? FileDescriptor.open(FilePath(file), .readOnly, options: .closeOnExec) else {
        return false
      }
      try? descriptor.close()
      return true
    }
    return options
  }()
  /// Where systems keep the certificates that they trust: Debian and Arch, Fedora, openSUSE, Alpine and macOS.
  private static let certificateFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]
  /// How many connections FFmpeg makes for one request: it follows as many redirects.
  private static let redirectLimit = 8

  /// What the server sends.
  let input: UnsafeMutablePointer<AVIOContext>
  private let requested: String

  /// Connects to the server of `address`.
  ///
  /// - Throws: `DecodingRefusal` if it cannot be reached, or refuses.
  init(_ address: String, _ wait: NetworkWait) throws(DecodingRefusal) {
    wait.beginServer()
    let before = wait.connectionCount
    var connection: UnsafeMutablePointer<AVIOContext>?
    var interrupt = unsafe wait.callback
    let code = unsafe Self.open(&connection, address, AVIO_FLAG_READ, nil, wait: &interrupt)
    guard code >= 0, let opened = unsafe connection else {
      if code == SegueAVErrorInvalid || code == SegueAVErrorInvalidData {
        throw DecodingRefusal(.unsupported, "gives no valid answer, or leads to an address that is not supported")
      }
      let isEncrypted = address.lowercased().hasPrefix("https:")
      throw Self.refusal(code, isEncrypted: isEncrypted, connectionCount: wait.connectionCount - before)
    }
    unsafe input = opened
    requested = address
  }

  deinit {
    var connection: UnsafeMutablePointer<AVIOContext>? = unsafe input
    unsafe avio_closep(&connection)
  }

  /// Connects to the server of `address`; returns FFmpeg's error number, or 0. Is called by FFmpeg, too.
  static func open(
    _ connection: inout UnsafeMutablePointer<AVIOContext>?, _ address: UnsafePointer<CChar>?, _ flags: Int32,
    _ callersOptions: UnsafeMutablePointer<OpaquePointer?>?, wait: UnsafePointer<AVIOInterruptCB>?
  ) -> Int32 {
    lastMessage.withLock { $0 = "" }
    var own: OpaquePointer?
    defer { unsafe av_dict_free(&own) }
    return unsafe withUnsafeMutablePointer(to: &own) { own in
      let dictionary = unsafe callersOptions ?? own
      for (name, value) in options { unsafe av_dict_set(dictionary, name, value, 0) }
      return unsafe avio_open2(&connection, address, flags, wait, dictionary)
    }
  }

  /// The address from which the server sends, after redirects.
  var address: String { option("location") ?? requested }

  /// The type that the server states, in lower case and without parameters; empty if it states none.
  var contentType: String {
    (option("mime_type") ?? "").lowercased().prefix { $0 != ";" && !$0.isWhitespace }.description
  }

  /// Whether the server states how many bytes it sends.
  var hasByteCount: Bool { unsafe avio_size(input) > 0 }

  /// Whether the server sends the headers of a station.
  var hasStationHeaders: Bool { !(option("icy_metadata_headers") ?? "").isEmpty }

  private func option(_ name: String) -> String? {
    var value: UnsafeMutablePointer<UInt8>?
    defer { unsafe av_free(value) }
    guard unsafe av_opt_get(input, name, AV_OPT_SEARCH_CHILDREN, &value) >= 0 else { return nil }
    return unsafe value.map { unsafe String(cString: $0) }
  }

  /// Returns the first `count` bytes, or fewer at the end, and lets them be read again. `count` is at most 16,384.
  func firstBytes(_ count: Int) -> [UInt8] {
    let bytes = read(count)
    unsafe avio_seek(input, 0, SEEK_SET)
    return bytes
  }

  /// Returns the next `count` bytes, or fewer at the end.
  func read(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < buffer.count {
        let room = Int32(clamping: buffer.count - filled)
        let read = unsafe avio_read_partial(input, buffer.baseAddress.map { unsafe $0 + filled }, room)
        guard read > 0 else { break }
        filled += Int(read)
      }
    }
  }

  // MARK: Errors

  /// The last message in FFmpeg's log that says more of an error than its number.
  private static let lastMessage = Mutex("")

  /// Lets FFmpeg write its log here, rather than to standard error.
  static func readLog() {
    unsafe av_log_set_callback { sender, level, format, arguments in
      guard level <= AV_LOG_WARNING, let format = unsafe format, let arguments = unsafe arguments else { return }
      let message = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        var hasPrefix: Int32 = 0
        unsafe buffer.initialize(repeating: 0)
        _ = unsafe av_log_format_line2(
          sender, level, format, arguments, buffer.baseAddress, Int32(buffer.count), &hasPrefix)
        return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
      }
      ServerConnection.lastMessage.withLock { $0 = message }
    }
  }

  /// Returns the refusal for FFmpeg's error number.
  ///
  /// - Parameters:
  ///   - code: The error number.
  ///   - isEncrypted: Whether the address is one of https.
  ///   - connectionCount: The number of connections that were made in vain.
  static func refusal(_ code: Int32, isEncrypted: Bool, connectionCount: Int) -> DecodingRefusal {
    let message = lastMessage.withLock { $0 }.lowercased()
    switch code {
    case SegueAVErrorNoMemory: return .noMemory
    case SegueAVErrorInvalid, SegueAVErrorInvalidData:
      return DecodingRefusal(.unsupported, "sends nothing that FFmpeg decodes")
    case SegueAVErrorUnauthorized:
      return DecodingRefusal(.unsupported, "wants a name and a password, or other ones (401)")
    case SegueAVErrorForbiddenByServer: return DecodingRefusal(.unsupported, "is forbidden by the server (403)")
    case SegueAVErrorNotFound: return DecodingRefusal(.unreadable, "was not found by the server (404)")
    case SegueAVErrorBadRequest: return DecodingRefusal(.unsupported, "is not understood by the server (400)")
    case SegueAVErrorOtherClientError, SegueAVErrorServerError:
      let number = message.firstRange(of: "http error ").map { message[$0.upperBound...].prefix { $0.isNumber } } ?? ""
      return DecodingRefusal(.unreadable, "is refused by the server\(number.isEmpty ? "" : " (\(number))")")
    case SegueAVErrorProtocol: return DecodingRefusal(.unsupported, "leads to an address that is not supported")
    case SegueAVErrorInput where connectionCount == 0:
      return DecodingRefusal(.unreachable, "cannot be reached (no such host, or no network)")
    case SegueAVErrorNetworkUnreachable, SegueAVErrorHostUnreachable:
      return DecodingRefusal(.unreachable, "cannot be reached (no network)")
    case SegueAVErrorInput where connectionCount > redirectLimit:
      return DecodingRefusal(.unsupported, "redirects to other addresses in a circle")
    default:
      if isEncrypted, message.contains("certificate") {
        return DecodingRefusal(.unsupported, "has no valid certificate")
      }
      if isEncrypted, connectionCount > 0 {
        return DecodingRefusal(.unreadable, "cannot be reached (no encrypted connection)")
      }
      let text = code == SegueAVErrorInput ? "no answer" : DecodingRefusal.message(code)
      return DecodingRefusal(.unreadable, "cannot be reached (\(text.prefix(1).lowercased() + text.dropFirst()))")
    }
  }
}

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
