// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import Platform
@testable import RemoteControl

/// Clients that are hostile or broken.
@Suite(.serialized) struct HostileClientTests {
  private let rig: RemoteRig

  init() throws { rig = try RemoteRig() }

  private func connect() throws -> LocalSocket { try LocalSocket(connectingTo: rig.directory["run/socket"]) }

  /// Returns everything received until the server closes the connection.
  private func readToEnd(_ socket: LocalSocket) throws -> String {
    var bytes: [UInt8] = []
    while let piece = try? socket.read(), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Checks that other clients are still answered.
  private func checkServerResponds() throws {
    var client = try rig.client()
    #expect(try client.send("status").contains { $0.key == "state" })
  }

  @Test func `A line of a hundred megabytes closes its connection and costs no memory`() throws {
    let socket = try connect()
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    for _ in 0..<100 { if (try? socket.write(piece)) == nil { break } }
    #expect(try readToEnd(socket).hasPrefix("OK MPD"))
    try checkServerResponds()
  }

  @Test func `Requests sent before a client closes its side are executed and answered`() throws {
    let socket = try connect()
    try socket.write("setvol 40\nstatus\nsetvol 50\nstatus\ncommands\n".utf8)
    try socket.endWriting()
    let response = try readToEnd(socket)
    #expect(response.contains("volume: 40\n") && response.contains("volume: 50\n"))
    #expect(response.hasSuffix("command: volume\nOK\n"), "\(response.suffix(100))")
    let idle = try connect()
    try idle.write("idle\n".utf8)
    try idle.endWriting()
    #expect(try readToEnd(idle).hasPrefix("OK MPD"))
  }

  @Test func `Random bytes are rejected`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      let socket = try connect()
      let noise = (0..<5_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      try? socket.write(noise + Array("\nclose\n".utf8))
      #expect(try readToEnd(socket).contains("ACK") || noise.contains(0))
    }
    try checkServerResponds()
  }

  @Test func `Unfinished command lists of many clients use a limited amount of memory`() throws {
    var sockets: [LocalSocket] = []
    let line = Array(("find " + String(repeating: "x", count: 60_000) + "\n").utf8)
    for _ in 0..<60 {
      let socket = try connect()
      try socket.write("command_list_begin\n".utf8)
      for _ in 0..<30 { if (try? socket.write(line)) == nil { break } }
      sockets.append(socket)
    }
    #expect(sockets.count == 60)
    try checkServerResponds()
  }

  @Test func `A client that never reads gets no more responses, and does not delay others`() throws {
    rig.actions.enqueue(RemoteRig.album(2_000), item: nil)
    let socket = try connect()
    // The responses are much larger than the buffers of the system.
    let requests = Array(String(repeating: "status\n", count: 400).utf8)
    let writer = try WorkerThread(name: "writer") {
      for _ in 0..<200 { if (try? socket.write(requests)) == nil { break } }
    }
    for _ in 0..<50 { try checkServerResponds() }
    rig.server.shutDown()
    #expect(writer.join(until: .now.advanced(byMilliseconds: 60_000)))
  }

  @Test func `Thousands of pipelined commands are answered in order`() throws {
    rig.actions.enqueue(RemoteRig.album(3), item: nil)
    let socket = try connect()
    let count = 12_000
    let writer = try WorkerThread(name: "writer") {
      let lines = (0..<count).map { $0 % 100 == 7 ? "nope\n" : $0 % 100 == 8 ? "setvol 50\n" : "ping\n" }
      try? socket.write((lines.joined() + "close\n").utf8)
    }
    let responses = try readToEnd(socket).split(separator: "\n").dropFirst()
    #expect(writer.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(responses.count == count)
    #expect(responses.enumerated().allSatisfy { $1.hasPrefix($0 % 100 == 7 ? "ACK" : "OK") })
    try checkServerResponds()
  }

  @Test func `Names with quotes and line ends do not break the response`() throws {
    var album = RemoteRig.album(1)
    var track = album.tracks[0]
    track.title = "a\nfile: \"b\"\r\nOK\0"
    track.path = "/music/new\nline \"x\".flac"
    album.tracks = TrackList([track])
    rig.actions.enqueue(album, item: 0)
    var client = try rig.client()
    let song = try client.send("currentsong")
    #expect(song.filter { $0.key == "file" }.map(\.value) == ["path:/music/new%0Aline%20%22x%22.flac"])
    #expect(song.contains { $0.key == "Title" && $0.value == "a file: \"b\"  OK " })
    #expect(SongURI.path("path:/music/new%0Aline%20%22x%22.flac") == track.path)
  }

  @Test(arguments: ["../x", "a/../../x", "/a/..", "path:%2E%2E/x"])
  func `No name leads out of the library`(name: String) { #expect(SongURI.path(name) == nil) }
}

extension LocalSocket {
  /// Shuts down the writing side.
  fileprivate func endWriting() throws {
    guard shutdown(descriptor.rawValue, Int32(SHUT_WR)) == 0 else { throw Errno(rawValue: errno) }
  }
}

extension ProgramLane {
  /// Clients that send without reading.
  @Suite struct UnreadAnswersTests {
    private let rig: RemoteRig

    init() throws { rig = try RemoteRig() }

    @Test(arguments: ["status", "nonsense", "idle\nnoidle"])
    func `Requests of a client that does not read wait on its side, and are answered once it reads`(line: String)
      throws
    {
      let socket = try LocalSocket(connectingTo: rig.directory["run/socket"], timeout: .milliseconds(500))
      let count = 1_000
      let piece = Array(String(repeating: "\(line)\n", count: count).utf8)
      var pieces = 0
      // A piece whose write fails may have been accepted in part.
      while pieces < 4_000, (try? socket.write(piece)) != nil { pieces += 1 }
      #expect(pieces < 400, "\(pieces * piece.count) bytes were accepted")
      var client = try rig.client()
      #expect(try client.send("status").contains { $0.key == "state" })
      socket.waitWithoutLimit()
      let responseCount = Watched(0)
      _ = try WorkerThread(name: "reader") {
        var incompleteLine: [UInt8] = []
        while let bytes = try? socket.read(), !bytes.isEmpty {
          var lines = (incompleteLine + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          incompleteLine = Array(lines.removeLast())
          let count = lines.count { $0.starts(with: "OK".utf8) || $0.starts(with: "ACK".utf8) }
          responseCount.change { $0 += count }
        }
      }
      // The greeting counts as one response.
      #expect(responseCount.wait { $0 >= pieces * count + 1 }, "\(responseCount.value) of \(pieces * count)")
    }
  }
}
