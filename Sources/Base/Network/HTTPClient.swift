// SPDX-License-Identifier: GPL-3.0-or-later

import CCurl
import Platform

/// A client on libcurl, which is loaded with the first request.
///
/// Certificates are verified. Redirections are not followed, since a request could carry a secret to another server:
/// the answer has their status. The proxies that the environment names are used.
public enum HTTPClient {
  /// The version of libcurl, such as "7.88.1"; `nil` if it is not installed.
  public static var libraryVersion: String? {
    guard let version = unsafe CurlVersion() else { return nil }
    let words = unsafe String(cString: version).split { $0 == " " || $0 == "/" }
    return words.dropFirst().first.map(String.init)
  }

  /// Sends a request, and blocks until there is an answer. Can be called from any thread.
  public static func perform(_ request: HTTPRequest) throws(HTTPError) -> HTTPAnswer {
    // A line break would begin another line of the header.
    let texts = [request.url] + request.headers
    guard !texts.contains(where: { $0.utf8.contains { $0 < 0x20 } }) else { throw HTTPError(.invalidAddress) }
    var answer = unsafe CurlAnswer()
    defer { unsafe CurlAnswerFree(&answer) }
    let code = unsafe withCStrings(request.headers) { headers in
      unsafe request.url.withCString { url in
        unsafe withBody(request.body) { body in
          var description = unsafe CurlRequest()
          unsafe description.url = url
          unsafe description.headers = headers.baseAddress
          unsafe description.headerCount = request.headers.count
          unsafe description.body = body?.baseAddress.map { unsafe UnsafeRawPointer($0) }
          unsafe description.bodySize = body?.count ?? 0
          unsafe description.connectTimeout = milliseconds(request.timeouts.connecting)
          unsafe description.timeout = milliseconds(request.timeouts.answering)
          unsafe description.answerLimit = request.answerLimit
          return unsafe CurlPerform(&description, &answer)
        }
      }
    }
    if code != Int32(CurlOK) { throw HTTPError(kind(of: code), unsafe text(answer.error)) }
    let retryAfter = unsafe text(answer.retryAfter)
    let body = unsafe Array(UnsafeBufferPointer(start: answer.body, count: answer.bodySize))
    return HTTPAnswer(
      status: Int(unsafe answer.status), retryAfter: retryAfter.isEmpty ? nil : retryAfter, body: body)
  }

  private static func kind(of code: Int32) -> HTTPError.Kind {
    switch Int(code) {
    case CurlMissing: .noLibrary
    case CurlAnswerTooLarge: .tooLarge
    case CurlUnsupportedProtocol, CurlInvalidURL: .invalidAddress
    case CurlNoHost, CurlNoConnection: .unreachable
    case CurlTimeout: .timeout
    case CurlTLSConnectError, CurlCertificateRefused: .certificate
    default: .failed
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    // 0 would be no limit.
    max(1, Int(clamping: duration.wholeMilliseconds))
  }

  /// Returns the text in an array of C, which ends with a zero byte.
  private static func text<Array>(_ array: Array) -> String {
    unsafe withUnsafeBytes(of: array) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Calls `body` with a pointer that is not `nil`, even for an empty array.
  private static func withBody<Result>(
    _ bytes: [UInt8]?, _ body: (UnsafeBufferPointer<UInt8>?) -> Result
  ) -> Result {
    guard let bytes else { return body(nil) }
    return unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe body(UnsafeBufferPointer(rebasing: buffer.dropLast()))
    }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let bytes = texts.flatMap { $0.utf8CString }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      var start = 0
      for text in texts {
        unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + start })
        start += text.utf8.count + 1
      }
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0) }
    }
  }
}
