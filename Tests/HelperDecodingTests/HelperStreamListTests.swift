// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import HelperDecoding
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// What servers send instead of a stream: lists, errors and other answers.
  @Suite(
    .enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"),
    .enabled(if: Confinement.isPossible, Comment(rawValue: Confinement.reason)))
  struct HelperStreamListTests: StreamedRecordingTests {
    let recording: StreamedRecording

    init() throws { recording = try StreamedRecording(frames: Self.frames) }

    @Test func `A list of streams leads to its first one`() throws {
      let server = try StreamServer { [flac] request, connection in
        let target = "http://\(request.headers.first { $0.hasPrefix("host: ") }?.dropFirst(6) ?? "")"
        let texts = [
          "/a": "#EXTM3U\n#EXTINF:-1,http://none/\n\(target)/b.pls\n", "/b.pls": "[playlist]\nFile1=\(target)/c\n",
          "/c": "<playlist><trackList><track><location>\(target)/d</location></track></trackList></playlist>",
        ]
        if let text = texts[request.path] { connection.send(file: Array(text.utf8), for: request) }
        if request.path == "/d" { connection.send(file: flac, for: request) }
      }
      #expect(PCM.firstDifference(read(try open(server)).samples, expected, channels: 2) == nil)
    }

    @Test func `The next mirror is tried when one fails, and lists without a length are followed`() throws {
      let server = try StreamServer { [flac] request, connection in
        switch request.path {
        case "/a":
          let address = "http://\(request.headers.first { $0.hasPrefix("host: ") }?.dropFirst(6) ?? "")"
          connection.send()
          connection.send(Array("[playlist]\nFile1=http://127.0.0.1:1/\nFile2=\(address)/gone\nFile3=x/../b.m3u".utf8))
        case "/b.m3u":
          connection.send(Array("HTTP/1.0 200 OK\r\n\r\n#EXTM3U\nc".utf8))
        case "/c": connection.send(file: flac, for: request)
        default: connection.send(status: "404 Not Found")
        }
      }
      #expect(PCM.firstDifference(read(try open(server)).samples, expected, channels: 2) == nil)
    }

    @Test func `A list of several streams on its own server is an error that names them`() throws {
      let server = try StreamServer { request, connection in
        guard request.path == "/music/a.m3u" else {
          return _ = connection.send(status: "302 Found", ["Location: /music/a.m3u"])
        }
        connection.send()
        connection.send(Array("#EXTM3U\n#EXTINF:1,Band - One\n1 x.flac\n/2.flac\n".utf8))
      }
      let error = try #require(throws: DecodingError.self) { try open(server) }
      let parts = ["/music/1%20x.flac", "/2.flac"].compactMap { StreamAddress(server.address($0)) }
      #expect(
        error.kind
          == .list([
            StreamPart(address: parts[0], text: SourceText(title: "One", artists: ["Band"])),
            StreamPart(address: parts[1], text: SourceText()),
          ]))
    }

    @Test(arguments: [
      "#EXTM3U\nself\n", "#EXTM3U\nhttp://127.0.0.1:1/\nself\nself\nself\nself\nself\nself\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:0\n" + String(repeating: "#EXTINF:0.1,\nself\n", count: 300),
      "#EXTM3U\n" + (1...200).map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0)\nself?\($0)\n" }.joined(),
    ])
    func `A list that leads to itself makes few requests`(text: String) throws {
      let server = try StreamServer { _, connection in
        connection.send(["Content-Type: application/vnd.apple.mpegurl"])
        connection.send(Array(text.utf8))
      }
      #expect(throws: DecodingError.self) { try open(server, "/self") }
      #expect(server.requests.count <= 101)
    }

    @Test(arguments: [
      ("404 Not Found", "", "was not found by the server (404)"),
      ("401 Unauthorized", "", "wants a name and a password, or other ones (401)"),
      ("410 Gone", "", "is refused by the server (410)"), ("500 No", "", "is refused by the server (500)"),
      ("302 Found\r\nLocation: /a", "", "redirects to other addresses in a circle"),
      (
        "302 Found\r\nLocation: ftp://127.0.0.1/", "",
        "gives no valid answer, or leads to an address that is not supported"
      ),
      ("200 OK", "Hello", "sends text, not audio"), ("200 OK", "<html></html>", "sends a web page, not audio"),
      ("200 OK", "\u{1}\u{2}\u{3}", "sends nothing that FFmpeg decodes"),
      ("200 OK", "#EXTM3U\nfile:///etc/passwd\n", "sends a list without an address to play"),
      ("200 OK", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1\nfile:///etc/passwd\n#EXT-X-ENDLIST\n", nil),
    ])
    func `What is not audio is refused, with the reason`(status: String, text: String, reason: String?) throws {
      let server = try StreamServer { _, connection in
        connection.send(status: status, ["Content-Length: \(text.utf8.count)"])
        connection.send(Array(text.utf8))
      }
      let error = try #require(throws: DecodingError.self) { try open(server) }
      #expect(error.description.hasPrefix("\(server.address("/a")): "))
      #expect(reason == nil || error.reason == reason, "\(error.reason)")
    }

    @Test func `A server that does not exist, or cannot prove who it is, is refused`() throws {
      let program = try #require(ProgramFile.neighbour("segue-decode"))
      let server = try StreamServer { _, connection in connection.send(Array("not TLS".utf8)) }
      for (address, reason) in [
        ("http://127.0.0.1:1/", "cannot be reached (connection refused)"),
        ("https://127.0.0.1:\(server.port)/", "cannot be reached (no encrypted connection)"),
        ("http://nowhere.invalid/", "cannot be reached (no such host, or no network)"),
      ] {
        let error = try #require(throws: DecodingError.self) {
          try DecodingHelpers(program: program, streaming: Self.settings).open(try #require(StreamAddress(address)))
        }
        #expect(error.reason.hasPrefix(reason), "\(error.reason)")
      }
    }
  }
}
