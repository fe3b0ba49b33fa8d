// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What a Snapcast client plays of the sound that the player writes to the server's FIFO.
  ///
  /// To stay synchronised with its server, a client puts silence between two frames, leaves a few out, or plays a few
  /// twice; otherwise it plays them in order.
  @Suite(.enabled(if: SnapcastServer.isInstalled, Comment(rawValue: SnapcastServer.reason)))
  struct SnapcastTests {
    private static let rate = SnapcastServer.rate
    private static let format = ["--rate", "48000", "--depth", "16", "--on-format-change", "resample"]

    /// Writes an album of two tracks, `seconds` seconds long in total.
    private func writeAlbum(_ server: SnapcastServer, seconds: Int) throws {
      let middle = seconds * Self.rate / 2 + 77
      try server.directory.write(Ruler.file(0..<middle, rate: Self.rate), to: "album/1.wav")
      try server.directory.write(Ruler.file(middle..<seconds * Self.rate, rate: Self.rate), to: "album/2.wav")
    }

    /// Expects that `runs` are `positions` in order, except for what a client corrects to stay synchronised.
    private func expectInOrder(_ runs: [Ruler.Run], _ positions: Range<Int>) throws {
      // The first 8 ms are faded in.
      let first = try #require(runs.first)
      let last = try #require(runs.last)
      #expect(first.position - positions.lowerBound <= Self.rate / 100, "\(runs)")
      #expect(last.next == positions.upperBound, "\(runs)")
      for (run, next) in zip(runs, runs.dropFirst()) {
        #expect((-4...4).contains(next.position - run.next), "\(runs)")
      }
      #expect(runs.count <= 8, "\(runs)")
    }

    @Test func `two tracks arrive in order without a gap, in real time`() throws {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 3)
        let start = MonotonicInstant.now
        let arguments = ["play", server.album.string, "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try waitFor("the status") {
            try player.status().contains("\"latency\":0.341")
          }
          let end = try player.end(within: 20)
          #expect(end.status == 0 && end.errors == [])
          #expect(MonotonicInstant.now >= start.advanced(byMilliseconds: 2900))
        }
        try server.awaitSound(at: 3 * Self.rate, isEnd: true)
        try expectInOrder(Ruler.runs(server.frames), 0..<3 * Self.rate)
      }
    }

    @Test func `After a server restart playback continues there, and the outage is reported`()
      throws
    {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 9)
        let arguments = ["play", server.album.string, "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.awaitSound(at: Self.rate)
          server.kill()
          let fifo = server.directory.file("fifo")
          try player.complains("reopening the output: \(fifo): closed by its reader")
          let heard = Ruler.runs(try server.frames)
          try expectInOrder(heard, 0..<(heard.last?.next ?? 0))
          try server.start()
          try player.complains("the output device is back")
          let end = try player.end(within: 20)
          #expect(end.status == 0 && end.errors.count == 2, "\(end.errors)")
          try server.awaitSound(at: 9 * Self.rate, isEnd: true)
          let rest = Ruler.runs(try server.frames)
          let position = try #require(rest.first?.position)
          // It resumes where the server had stopped reading; the client misses the start until it has found the server
          // again.
          #expect(position >= Self.rate && position <= 8 * Self.rate, "\(rest)")
          try expectInOrder(rest, position..<9 * Self.rate)
        }
      }
    }

    @Test func `Nothing is sent during a pause, and playback resumes with the next frame`() throws {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 6)
        let arguments = ["repl", "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.say("play '\(server.album)'")
          try server.awaitSound(at: Self.rate / 2)
          try player.say("pause")
          // Longer than a device is kept open, and until the server becomes idle.
          try waitFor("the silence", every: 50) {
            try server.frames(last: 4 * Self.rate).allSatisfy { $0 == (0, 0) }
          }
          #expect(try player.status().contains("\"phase\":\"paused\""))
          let heard = Ruler.runs(try server.frames)
          try player.say("resume")
          try player.endScript()
          #expect(try player.end(within: 20).status == 0)
          try server.awaitSound(at: 6 * Self.rate, isEnd: true)
          let all = Ruler.runs(try server.frames)
          try expectInOrder(heard, 0..<(heard.last?.next ?? 0))
          // Between them are two fades of 8 ms.
          let rest = Array(all.dropFirst(heard.count))
          let gap = try #require(rest.first).position - (heard.last?.next ?? 0)
          #expect((0...Self.rate / 50).contains(gap), "\(all)")
          try expectInOrder(rest, (rest.first?.position ?? 0)..<6 * Self.rate)
        }
      }
    }
  }
}

/// A private Snapcast server that reads a FIFO, and a client that writes what it plays to a file.
final class SnapcastServer {
  /// The reason that Snapcast tests are skipped.
  static let reason = "snapserver and snapclient are not installed"
  /// Whether the required programs are installed.
  static let isInstalled = Tool.exists("snapserver") && Tool.exists("snapclient")
  static let rate = 48_000

  let directory: TemporaryDirectory
  /// A directory in it, for music.
  let album: FilePath
  /// The environment of the player.
  let environment: [String: String]
  private let port: Int
  private var server: ChildProcess?
  private var client: ChildProcess?
  private var recordingCount = 0

  /// Calls `body` with a server and a client, and ends both afterwards.
  static func run(_ body: (SnapcastServer) throws -> Void) throws {
    let server = try SnapcastServer()
    defer { server.stop() }
    try server.start()
    try body(server)
  }

  private init() throws {
    directory = try TemporaryDirectory()
    album = try directory.makeDirectory("album")
    environment = try SoundServer.environment(in: directory)
    port = try Self.freePort()
    try directory.makeFIFO("fifo")
    try directory.write(
      """
      [http]
      enabled = false
      [tcp]
      enabled = false
      [stream]
      bind_to_address = 127.0.0.1
      port = \(port)
      source = pipe://\(directory.file("fifo"))?name=Segue&mode=read&sampleformat=\(Self.rate):16:2
      codec = pcm
      buffer = 2500
      [logging]
      sink = file:\(directory.file("server.log"))

      """.utf8, to: "snapserver.conf")
  }

  /// The player's output.
  var output: String { "raw:\(directory.file("fifo"))" }

  /// Starts a server and its client, to replace those that were killed.
  func start() throws {
    server = try ChildProcess(
      "snapserver", ["-c", directory.file("snapserver.conf").string, "--server.datadir=\(directory.path)"],
      environment: environment)
    try startClient()
  }

  /// Kills the server, like a crash, and its client, which does not always survive that.
  func kill() {
    server?.end()
    client?.end()
    (server, client) = (nil, nil)
  }

  private func startClient() throws {
    recordingCount += 1
    client = try ChildProcess(
      "snapclient",
      [
        "-h", "127.0.0.1", "-p", "\(port)", "--hostID", "segue-test", "--mixer", "none", "--player",
        "file:filename=\(recording)", "--logsink", "file:\(directory.file("client.log"))",
      ], environment: environment)
    try waitFor("the client") { try !frames(last: 1).isEmpty }
  }

  private var recording: FilePath { directory["heard-\(recordingCount)"] }

  /// The frames that the client has played so far.
  var frames: [(left: Int16, right: Int16)] {
    get throws { try frames(last: .max) }
  }

  /// Returns at most the last `count` frames that the client has played: reading all of them repeatedly would slow the
  /// client down.
  func frames(last count: Int) throws -> [(left: Int16, right: Int16)] {
    guard (try? FileStatus(of: recording)) != nil else { return [] }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording.string))
    let whole = Int(try file.seekToEnd()) / 4
    try file.seek(toOffset: UInt64(4 * (whole - min(count, whole))))
    return try (file.readToEnd() ?? Data()).withUnsafeBytes { bytes in
      stride(from: 0, through: bytes.count - 4, by: 4).map { start in
        (
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int16.self)),
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 2, as: Int16.self))
        )
      }
    }
  }

  /// Waits until the last sound heard is beyond `position`, or ends exactly there if `isEnd`.
  func awaitSound(at position: Int, isEnd: Bool = false) throws {
    try waitFor(isEnd ? "the end of the sound" : "sound", every: 50) {
      let next = Ruler.runs(try frames(last: 4 * Self.rate)).last?.next ?? 0
      return isEnd ? next == position : next > position
    }
  }

  private func stop() {
    client?.end()
    server?.end()
  }

  /// Returns an unused port of this machine.
  private static func freePort() throws -> Int {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) == 0 && getsockname(number, $0, &size) == 0
      }
    }
    guard isBound else { throw Errno(rawValue: errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
