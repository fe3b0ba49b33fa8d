// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// An HTTP server on the loopback that answers each request as a test wants, on a thread of its own.
public final class StreamServer: Sendable {
  /// A request that has arrived.
  public struct Request: Sendable {
    /// The path, such as `/a.flac`.
    public let path: String
    /// The lines of the header, in lower case.
    public let headers: [String]
    /// The contents of a POST.
    public let body: [UInt8]
    /// The number of requests for the same path before this one.
    public let earlierCount: Int

    /// The contents of a POST as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first byte that is wanted.
    public var start: Int {
      let range = headers.first { $0.hasPrefix("range: bytes=") }
      return range.flatMap { Int($0.dropFirst(13).prefix { $0 != "-" }) } ?? 0
    }
  }

  /// A connection to a client.
  public struct Connection: Sendable {
    fileprivate let socket: CInt

    /// Sends `bytes`; returns `false` if the client has disconnected.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Sends a whole answer with these lines in its header.
    @discardableResult
    public func send(status: String = "200 OK", _ lines: [String] = [], body: String) -> Bool {
      send(status: status, lines + ["Content-Length: \(body.utf8.count)"]) && send(Array(body.utf8))
    }

    /// Sends a header with these lines.
    @discardableResult
    public func send(status: String = "200 OK", _ lines: [String] = []) -> Bool {
      send(Array((["HTTP/1.1 \(status)", "Connection: close"] + lines + ["", ""]).joined(separator: "\r\n").utf8))
    }

    /// Sends a whole file, or the part of it that was asked for.
    public func send(file: [UInt8], for request: Request, limit: Int = .max) {
      let start = min(request.start, file.count)
      send(
        status: "206 Partial Content",
        [
          "Accept-Ranges: bytes", "Content-Length: \(file.count - start)",
          "Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)",
        ])
      send(Array(file[start...].prefix(limit)))
    }

    /// Waits until the client closes the connection.
    public func waitForClose() {
      var byte: UInt8 = 0
      while recv(socket, &byte, 1, 0) > 0 {}
    }
  }

  private let socket: CInt
  private let received = Watched<[Request]>([])
  /// The port on the loopback.
  public let port: UInt16

  /// Starts a server. `answer` runs on a thread for each connection, which is closed when it returns.
  public init(_ answer: @escaping @Sendable (Request, Connection) -> Void) throws {
    let socket = Foundation.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard socket >= 0, isListening else { throw POSIXFailure(code: errno) }
    self.socket = socket
    port = UInt16(bigEndian: address.sin_port)
    let received = received
    Thread.detachNewThread {
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0 else { break }
        Thread.detachNewThread {
          defer { close(client) }
          guard let request = Self.read(client, received) else { return }
          answer(request, Connection(socket: client))
        }
      }
      close(socket)
    }
  }

  deinit { shutdown(socket, CInt(SHUT_RDWR)) }

  /// The address of `path` on this server.
  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far.
  public var requests: [Request] { received.value }

  /// Blocks until `isReached` returns `true` for the requests. Returns whether it did in time.
  public func wait(_ isReached: ([Request]) -> Bool) -> Bool { received.wait(until: isReached) }

  /// A call of the system that has failed.
  private struct POSIXFailure: Error { let code: CInt }

  private static func read(_ client: CInt, _ received: Watched<[Request]>) -> Request? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.suffix(4) != Array("\r\n\r\n".utf8)[...], bytes.count < 1 << 16 {
      // A client that speaks TLS begins with a record of type 22.
      guard recv(client, &byte, 1, 0) == 1, byte != 22 else { return nil }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1 else { return nil }
    let path = String(words[1])
    let length = lines.lazy.map { $0.lowercased() }.first { $0.hasPrefix("content-length: ") }
    var body: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while let length, let size = Int(length.dropFirst(16)), body.count < size {
      let count = recv(client, &chunk, min(chunk.count, size - body.count), 0)
      guard count > 0 else { return nil }
      body += chunk[..<count]
    }
    return received.change { [body] requests in
      let request = Request(
        path: path, headers: lines.map { $0.lowercased() }, body: body, earlierCount: requests.count { $0.path == path }
      )
      requests.append(request)
      return request
    }
  }
}
