// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Sound that the player writes to the FIFO of a Snapcast server, as a Snapcast client plays it.
  ///
  /// To stay synchronised with its server, a client inserts silence between two frames, or skips or repeats a few. If
  /// it gets no processor time, it drops what is then too late. Otherwise it plays all frames in order.
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

    /// Expects `runs` to have all `positions` in order, except for the client's corrections to stay synchronised.
    private func expectInOrder(_ runs: [Ruler.Run], _ positions: Range<Int>) throws {
      // The first 8 ms are faded in.
      let first = try #require(runs.first)
      let last = try #require(runs.last)
      #expect(first.position - positions.lowerBound <= Self.rate / 100, "\(runs)")
      #expect(last.next == positions.upperBound, "\(runs)")
      let distances = zip(runs, runs.dropFirst()).map { $1.position - $0.next }
      #expect(distances.allSatisfy((-4...Self.rate / 4).contains), "\(runs)")
      // A client that is late catches up by any number of corrections of a frame or a few.
      #expect(distances.count { $0 > 4 } <= 7, "\(runs)")
    }

    @Test func `Two tracks arrive in order without a gap, in real time`() throws {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 3)
        let start = MonotonicInstant.now
        let arguments = ["play", server.album.string, "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try waitFor("the status") {
            try player.status().contains("\"latency\":0.341")
          }
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0 && outcome.errors == [])
          #expect(MonotonicInstant.now >= start.advanced(byMilliseconds: 2900))
        }
        try server.awaitSound(at: 3 * Self.rate, isEnd: true)
        try expectInOrder(Ruler.runs(server.frames), 0..<3 * Self.rate)
      }
    }

    @Test func `After a server restart, playback resumes on the new server, and the outage is reported`()
      throws
    {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 9)
        let arguments = ["play", server.album.string, "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.awaitSound(at: Self.rate)
          server.kill()
          let fifo = server.directory.file("fifo")
          try player.waitForError(containing: "reopening the output: \(fifo): the reader has closed it")
          let before = Ruler.runs(try server.frames)
          try expectInOrder(before, 0..<(before.last?.next ?? 0))
          try server.start()
          try player.waitForError(containing: "the output device is back")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0 && outcome.errors.count == 2, "\(outcome.errors)")
          try server.awaitSound(at: 9 * Self.rate, isEnd: true)
          let after = Ruler.runs(try server.frames)
          let position = try #require(after.first?.position)
          // Playback resumes where the server stopped reading. The client misses the start, until it has found the
          // server again.
          #expect(position >= Self.rate && position <= 8 * Self.rate, "\(after)")
          try expectInOrder(after, position..<9 * Self.rate)
        }
      }
    }

    @Test func `Nothing is sent during a pause, and playback resumes with the next frame`() throws {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 6)
        let arguments = ["repl", "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.enter("play '\(server.album)'")
          try server.awaitSound(at: Self.rate / 2)
          try player.enter("pause")
          // The silence lasts longer than a paused player keeps its device open, and until the server is idle.
          try waitFor("the silence", every: 50) {
            try server.frames(last: 4 * Self.rate).allSatisfy { $0 == (0, 0) }
          }
          #expect(try player.status().contains("\"phase\":\"paused\""))
          let before = Ruler.runs(try server.frames)
          try player.enter("resume")
          try player.endScript()
          #expect(try player.waitUntilExit(within: 20).status == 0)
          try server.awaitSound(at: 6 * Self.rate, isEnd: true)
          let all = Ruler.runs(try server.frames)
          try expectInOrder(before, 0..<(before.last?.next ?? 0))
          // There are two fades of 8 ms between the runs before and after the pause. A client that is late when the
          // sound is back drops as much as in ``expectInOrder(_:_:)``.
          let after = Array(all.dropFirst(before.count))
          let gap = try #require(after.first).position - (before.last?.next ?? 0)
          #expect((0...Self.rate / 4).contains(gap), "\(all)")
          try expectInOrder(after, (after.first?.position ?? 0)..<6 * Self.rate)
        }
      }
    }
  }
}

/// A private Snapcast server that reads from a FIFO, and a client that writes the sound that it plays to a file.
final class SnapcastServer {
  /// The reason that Snapcast tests are skipped.
  static let reason = "snapserver and snapclient are not installed"
  /// Whether the required programs are installed.
  static let isInstalled = Tool.exists("snapserver") && Tool.exists("snapclient")
  static let rate = 48_000

  let directory: TemporaryDirectory
  /// A directory for music, inside `directory`.
  let album: FilePath
  /// The environment of the player.
  let environment: [String: String]
  private let port: Int
  private var server: ChildProcess?
  private var client: ChildProcess?
  private var recordingCount = 0

  /// Calls `body` while a server and a client run, and kills both afterwards.
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

  /// Starts a server and a client, as replacements if others were killed.
  func start() throws {
    server = try ChildProcess(
      "snapserver", ["-c", directory.file("snapserver.conf").string, "--server.datadir=\(directory.path)"],
      environment: environment)
    try startClient()
  }

  /// Kills the server, as in a crash, and the client, which does not always survive the loss of its server.
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

  /// Returns at most the last `count` frames that the client has played. Reading all frames repeatedly would slow the
  /// client down.
  func frames(last count: Int) throws -> [(left: Int16, right: Int16)] {
    guard (try? FileStatus(of: recording)) != nil else { return [] }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording.string))
    let total = Int(try file.seekToEnd()) / 4
    try file.seek(toOffset: UInt64(4 * (total - min(count, total))))
    return try (file.readToEnd() ?? Data()).withUnsafeBytes { bytes in
      stride(from: 0, through: bytes.count - 4, by: 4).map { start in
        (
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int16.self)),
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 2, as: Int16.self))
        )
      }
    }
  }

  /// Waits until the client has played beyond `position`, or exactly up to it if `isEnd`.
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

  /// Returns an unused TCP port of this machine.
  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Errno(rawValue: errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
