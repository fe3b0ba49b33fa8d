// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol
import Synchronization
import SystemPackage

/// The connections to servers that FFmpeg opens for a stream, which may be several: for HLS, one for every piece.
enum ServerConnection {
  /// What applies to every connection. FFmpeg accepts invalid certificates unless told otherwise, and would open files.
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
  /// The maximum length of a list of streams, in bytes.
  private static let listLimit = 1 << 16

  /// Connects to the server of `address`; returns FFmpeg's error number, or 0. Is called by FFmpeg.
  static func open(
    _ connection: inout UnsafeMutablePointer<AVIOContext>?, _ address: UnsafePointer<CChar>?, _ flags: Int32,
    _ callersOptions: UnsafeMutablePointer<OpaquePointer?>?, wait: UnsafePointer<AVIOInterruptCB>?
  ) -> Int32 {
    var own: OpaquePointer?
    defer { unsafe av_dict_free(&own) }
    return unsafe withUnsafeMutablePointer(to: &own) { own in
      let dictionary = unsafe callersOptions ?? own
      for (name, value) in options { unsafe av_dict_set(dictionary, name, value, 0) }
      return unsafe avio_open2(&connection, address, flags, wait, dictionary)
    }
  }

  /// The last error of which FFmpeg has written to its log, and which says more than its error number.
  private static let lastMessage = Mutex("")

  /// Lets FFmpeg write its log here, rather than to standard error.
  static func readLog() {
    unsafe av_log_set_callback { sender, level, format, arguments in
      guard level <= AV_LOG_ERROR, let format = unsafe format, let arguments = unsafe arguments else { return }
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

  /// Returns the reason for an error number: what the log says, if the number says nothing.
  static func reason(_ code: Int32) -> String {
    let message = lastMessage.withLock { $0 }.filter { !$0.isNewline }
    let text = code == SegueAVErrorInput && !message.isEmpty ? message : DecodingRefusal.message(code)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Reads the text that a server sends from `address`, or the beginning of a long one; returns `nil` if that fails.
  static func text(at address: String, wait: NetworkWait) -> String? {
    var connection: UnsafeMutablePointer<AVIOContext>?
    var interrupt = unsafe wait.callback
    let code = unsafe open(&connection, address, AVIO_FLAG_READ, nil, wait: &interrupt)
    guard code >= 0, let opened = unsafe connection else { return nil }
    defer { unsafe avio_closep(&connection) }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: listLimit) { buffer, count in
      while count < buffer.count {
        let room = Int32(buffer.count - count)
        let read = unsafe avio_read_partial(opened, buffer.baseAddress.map { unsafe $0 + count }, room)
        guard read > 0 else { break }
        count += Int(read)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The wait for a server, which FFmpeg asks ten times a second whether to stop. Only one thread may use it.
@safe public final class NetworkWait {
  private let shouldStop: () -> Bool

  /// Creates a wait that ends as soon as `shouldStop` returns `true`.
  public init(shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }

  /// The callback for FFmpeg; valid as long as this object.
  var callback: AVIOInterruptCB {
    unsafe AVIOInterruptCB(
      callback: { wait in
        guard let wait = unsafe wait else { return 0 }
        return unsafe Unmanaged<NetworkWait>.fromOpaque(wait).takeUnretainedValue().shouldStop() ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}

/// The reason why nothing could be played from an address.
struct AddressFailure: Error {
  /// The reason for the user.
  let refusal: DecodingRefusal
  /// Whether the server answered with something that is not audio.
  let isNotAudio: Bool

  /// Creates a failure for FFmpeg's error number, if the container could not be opened.
  init(refusal: DecodingRefusal, code: Int32) {
    self.refusal = refusal
    isNotAudio = code == SegueAVErrorInvalid || code == SegueAVErrorInvalidData
  }
}

extension DecodingRefusal {
  /// Creates a refusal for FFmpeg's error number from a server.
  init(serverError code: Int32) {
    if code == SegueAVErrorInvalid || code == SegueAVErrorInvalidData {
      self.init(.unsupported, "sends nothing that FFmpeg decodes")
    } else if code == SegueAVErrorProtocol {
      self.init(.unsupported, "leads to an address that is not supported")
    } else {
      self.init(.unreadable, "cannot be reached (\(ServerConnection.reason(code)))")
    }
  }
}

/// Lists of streams, such as a station's `listen.pls`: what servers send where a stream is expected.
enum StreamList {
  /// Returns the first address in a list in M3U, PLS or XSPF; `nil` if there is none.
  static func firstAddress(in text: String) -> String? {
    for line in text.split(whereSeparator: \.isNewline) {
      var line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      guard !line.hasPrefix("#") else { continue }
      if let element = line.firstRange(of: "<location>") {
        line = line[element.upperBound...].prefix { $0 != "<" }
      } else if let key = line.firstRange(of: "="), line.lowercased().hasPrefix("file") {
        line = line[key.upperBound...]
      }
      let address = String(line.prefix { !$0.isWhitespace }).replacing("&amp;", with: "&")
      if ["http://", "https://"].contains(where: { address.lowercased().hasPrefix($0) }) { return address }
    }
    return nil
  }
}
