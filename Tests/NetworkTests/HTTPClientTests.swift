// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Network

/// Requests to servers on the loopback that do what servers should not.
@Suite(.enabled(if: HTTPClient.libraryVersion != nil, "needs libcurl"))
struct HTTPClientTests {
  /// Returns why there is no answer to a request.
  private func failure(_ request: HTTPRequest) -> HTTPError.Kind? {
    do throws(HTTPError) {
      _ = try HTTPClient.perform(request)
      return nil
    } catch {
      return error.kind
    }
  }

  private func impatient(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.timeouts = .init(connecting: .milliseconds(300), answering: .milliseconds(300))
    return request
  }

  @Test func `A POST sends its header and its contents, and returns the answer with the time to wait`() throws {
    let server = try StreamServer { _, connection in
      connection.send(status: "429 Too Many Requests", ["retry-AFTER:  17 "], body: "{\"a\":1}")
    }
    var request = HTTPRequest(url: server.address("/x?y=1"), type: "application/json", body: Array("\0é".utf8))
    request.headers.append("Authorization: Token t")
    let answer = try HTTPClient.perform(request)
    #expect(answer == HTTPAnswer(status: 429, retryAfter: "17", body: Array("{\"a\":1}".utf8)))
    let seen = try #require(server.requests.first)
    #expect(seen.path == "/x?y=1" && seen.body == Array("\0é".utf8))
    #expect(seen.headers.contains("authorization: token t") && seen.headers.contains("content-type: application/json"))
    #expect(!seen.headers.contains { $0.hasPrefix("expect") })
  }

  @Test func `A GET and an empty POST are what they are`() throws {
    let server = try StreamServer { request, connection in
      connection.send(body: String(request.headers[0].prefix { $0 != " " }))
    }
    #expect(try HTTPClient.perform(HTTPRequest(url: server.address("/"))).body == Array("get".utf8))
    let empty = HTTPRequest(url: server.address("/"), type: "text/plain", body: [])
    #expect(try HTTPClient.perform(empty).body == Array("post".utf8))
  }

  @Test func `A redirection is not followed, since the token would go elsewhere`() throws {
    let other = try StreamServer { _, connection in connection.send(body: "stolen") }
    let server = try StreamServer { _, connection in
      connection.send(status: "307 Temporary Redirect", ["Location: \(other.address("/"))"], body: "")
    }
    var request = HTTPRequest(url: server.address("/"), type: "text/plain", body: [])
    request.headers.append("Authorization: Token t")
    #expect(try HTTPClient.perform(request).status == 307 && other.requests.isEmpty)
  }

  @Test func `Half an answer, one that is too long, and none at all are errors`() throws {
    let half = try StreamServer { _, connection in
      connection.send(["Content-Length: 100"])
      connection.send(Array("{\"status\":".utf8))
    }
    #expect(failure(HTTPRequest(url: half.address("/"))) == .failed)
    let closing = try StreamServer { _, _ in }
    #expect(failure(HTTPRequest(url: closing.address("/"))) == .failed)
    let long = try StreamServer { _, connection in
      connection.send()
      let block = [UInt8](repeating: 0, count: 1 << 16)
      while connection.send(block) {}
    }
    #expect(failure(HTTPRequest(url: long.address("/"))) == .tooLarge)
  }

  @Test func `A server that never answers, or never ends its answer, takes only the time that it is given`() throws {
    let silent = try StreamServer { _, connection in connection.waitForClose() }
    #expect(failure(impatient(HTTPRequest(url: silent.address("/")))) == .timeout)
    let slow = try StreamServer { _, connection in
      connection.send(["Content-Length: 100"])
      connection.send([0x20])
      connection.waitForClose()
    }
    #expect(failure(impatient(HTTPRequest(url: slow.address("/")))) == .timeout)
  }

  @Test func `Without a server, and for other addresses, there is an error`() throws {
    #expect(failure(HTTPRequest(url: "http://127.0.0.1:1/")) == .unreachable)
    #expect(failure(HTTPRequest(url: "http://host.invalid/")) == .unreachable)
    for address in ["", "file:///etc/passwd", "ftp://127.0.0.1/", "http://", "no address", "http://a/\r\nX: y"] {
      #expect(failure(HTTPRequest(url: address)) != nil, "\(address)")
    }
    #expect(failure(HTTPRequest(url: "file:///etc/passwd")) == .invalidAddress)
    #expect(failure(HTTPRequest(url: "http://a/\r\nX: y")) == .invalidAddress)
  }

  @Test func `A server that does not speak TLS cannot prove who it is`() throws {
    let server = try StreamServer { _, connection in connection.send(body: "") }
    let address = server.address("/").replacing("http:", with: "https:")
    #expect(failure(impatient(HTTPRequest(url: address))) != nil)
  }
}

extension ProgramLane {
  @Suite(.enabled(if: HTTPClient.libraryVersion != nil && Tool.exists("openssl"), "needs libcurl and openssl"))
  struct CertificateTests {
    @Test func `A certificate that nobody trusts is refused before anything is sent`() throws {
      let directory = try TemporaryDirectory()
      let (key, certificate) = (directory["key"].string, directory["certificate"].string)
      try Tool.run(
        "openssl",
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-subj",
          "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        ])
      // A free port, which nobody else is likely to take at once.
      let port = try StreamServer { _, _ in }.port
      let output = directory["output"]
      try directory.write([], to: "output")
      let server = try ChildProcess(
        "openssl", ["s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-quiet"],
        output: FileHandle(forWritingTo: URL(fileURLWithPath: output.string)),
        errors: FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null")))
      defer {
        kill(server.processIdentifier, SIGKILL)
        _ = server.waitUntilExit()
      }
      var request = HTTPRequest(url: "https://127.0.0.1:\(port)/", type: "text/plain", body: Array("secret".utf8))
      request.headers.append("Authorization: Token t")
      var kind: HTTPError.Kind?
      _ = eventually {
        do throws(HTTPError) { _ = try HTTPClient.perform(request) } catch { kind = error.kind }
        return kind != .unreachable
      }
      #expect(kind == .certificate)
      #expect(try contents(of: output).isEmpty)
    }
  }
}
