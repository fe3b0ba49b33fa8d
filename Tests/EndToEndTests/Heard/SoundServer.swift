// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport

/// A private PulseAudio server without a device, and a recording of what a listener would have heard.
///
/// Its null sink runs in real time. It does not rewind: in PulseAudio 16 the monitor of a rewinding sink lacks the
/// first milliseconds of any stream, from any player. It is suspended until it is recorded, so that it does not start
/// with the two seconds of silence that it would otherwise have prepared.
final class SoundServer {
  /// The reason that tests of sound are skipped.
  static let reason = "pulseaudio and parec are not installed"
  /// Whether the required programs are installed.
  static let isInstalled = Tool.exists("pulseaudio") && Tool.exists("parec")

  /// Limits the number of servers: more would compete for the processors if there are many test threads.
  private static let serverSlots = DispatchSemaphore(value: 3)

  let directory: TemporaryDirectory
  /// A directory in it, for music.
  let album: FilePath
  let rate: Int
  /// The environment of its clients.
  let environment: [String: String]
  private let depth: SampleDepth
  private var recording: FilePath
  private var processes: [(process: ChildProcess, leash: FileHandle)] = []
  private var serverCount = 0
  private var recordingCount = 0
  private var frameSize: Int { depth.byteCount * 2 }

  /// Calls `body` with a server that is being recorded, and ends both afterwards.
  static func run(
    rate: Int = 44_100, depth: SampleDepth = .bits16, _ body: (SoundServer) throws -> Void
  ) throws {
    serverSlots.wait()
    defer { serverSlots.signal() }
    let server = try SoundServer(rate: rate, depth: depth)
    defer { server.stop() }
    try server.start()
    try body(server)
  }

  private init(rate: Int, depth: SampleDepth) throws {
    self.rate = rate
    self.depth = depth
    directory = try TemporaryDirectory()
    album = directory.file("album")
    try FileManager.default.createDirectory(atPath: album.string, withIntermediateDirectories: false)
    recording = directory.file("recording")
    environment = try Self.environment(in: directory)
  }

  /// Returns an environment in which programs use only the sound server in `directory`, and start none.
  static func environment(in directory: TemporaryDirectory) throws -> [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("SEGUE_") && !$0.key.hasPrefix("XDG_") && !$0.key.hasPrefix("PULSE_")
    }
    environment["HOME"] = directory.path.string
    environment["XDG_RUNTIME_DIR"] = directory.path.string
    environment["PULSE_SERVER"] = "unix:\(directory.file("native"))"
    environment["PULSE_CLIENTCONFIG"] = try directory.write("autospawn = no\n".utf8, to: "client.conf").string
    environment["SEGUE_STATE_DIR"] = directory.file("state").string
    return environment
  }

  private var socket: FilePath { directory.file("server-\(serverCount)") }

  private var sink: String {
    "module-null-sink sink_name=test rate=\(rate) format=s\(depth.rawValue)le norewinds=1"
  }

  /// Starts a server, and makes it visible to clients once it is being recorded.
  private func start() throws {
    serverCount += 1
    try launch(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
        "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1", "-L", sink,
        "-L", "module-suspend-on-idle timeout=0",
      ])
    try waitFor("the server") { (try? FileStatus(of: socket)) != nil }
    try record()
    hide()
    try show()
  }

  /// Starts a recording.
  private func record() throws {
    recordingCount += 1
    recording = try directory.write([], to: "recording-\(recordingCount)")
    try launch(
      "parec",
      [
        "--server=unix:\(socket)", "--device=test.monitor", "--raw", "--format=s\(depth.rawValue)le",
        "--rate=\(rate)", "--channels=2", "--latency-msec=20", "--process-time-msec=10",
      ], output: FileHandle(forWritingTo: URL(fileURLWithPath: recording.string)))
    try waitFor("the recorder") { try frameCount > 0 }
  }

  /// Starts a program that ends when `stop` is called, or when the tests end in any way: a shell kills it when the
  /// other end of its pipe is closed.
  private func launch(_ name: String, _ arguments: [String], output: FileHandle? = nil) throws {
    let leash = Pipe()
    let process = try ChildProcess(
      "/bin/sh", ["-c", "\"$@\" & read -r _; kill -KILL $!", "sh", name] + arguments, environment: environment,
      input: leash.fileHandleForReading, output: output)
    try leash.fileHandleForReading.close()
    processes.append((process, leash.fileHandleForWriting))
  }

  // MARK: Outages

  /// Kills the server, like a crash, and with it the recording.
  func kill() { stop() }

  /// Starts another server to replace the killed one, and another recording.
  func restart() throws { try start() }

  /// Sends the server a command of pactl.
  func control(_ arguments: String...) throws { try control(arguments) }

  /// Removes the sink, and with it the recording; clients cannot connect.
  func unplug() throws {
    try control("unload-module", "module-null-sink")
    hide()
  }

  /// Restores the sink, and starts another recording before clients can connect.
  func plugIn() throws {
    try control(["load-module"] + sink.split(separator: " ").map(String.init))
    try record()
    try show()
  }

  private func hide() { try? FileManager.default.removeItem(atPath: directory.file("native").string) }

  private func show() throws { try directory.link("native", to: socket.string) }

  private func control(_ arguments: [String]) throws {
    try Tool.run("pactl", ["--server=unix:\(socket)"] + arguments)
  }

  private func stop() {
    defer { processes = [] }
    for (process, leash) in processes.reversed() {
      try? leash.close()
      process.waitUntilExit()
    }
  }

  // MARK: Recording

  /// The number of frames recorded: the clock of the recording.
  var frameCount: Int {
    get throws { Int(try FileStatus(of: recording).size) / frameSize }
  }

  /// All recorded bytes.
  var bytes: [UInt8] {
    get throws { try contents(of: recording) }
  }

  /// The recorded 16-bit frames, as pairs.
  var frames: [(left: Int16, right: Int16)] {
    get throws {
      try bytes.withUnsafeBytes { bytes in
        stride(from: 0, through: bytes.count - 4, by: 4).map { start in
          (
            Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int16.self)),
            Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 2, as: Int16.self))
          )
        }
      }
    }
  }

  /// Waits until `count` frames have been recorded.
  func record(until count: Int) throws {
    try waitFor("\(count) frames", seconds: 60) { try frameCount >= count }
  }

  /// Waits until sound has been recorded, and returns the index of its first frame.
  func awaitSound() throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording.string))
    // Reads each part only once, since a busy test would delay the server.
    var silence = 0
    try waitFor("sound") {
      let part = try file.readToEnd() ?? Data()
      let first = part.firstIndex { $0 != 0 }
      silence += first.map { $0 - part.startIndex } ?? part.count
      return first != nil
    }
    return silence / frameSize
  }
}

/// The error that something took too long.
struct TimeoutError: Error {
  let what: String
}

/// Waits until `isReached` returns true, polling every few milliseconds.
func waitFor(
  _ what: String, seconds: UInt64 = 60, every pause: UInt64 = 2, until isReached: () throws -> Bool
) throws {
  let limit = MonotonicInstant.now.advanced(byMilliseconds: seconds * 1000)
  while try !isReached() {
    guard MonotonicInstant.now < limit else { throw TimeoutError(what: what) }
    MonotonicInstant.now.advanced(byMilliseconds: pause).sleep()
  }
}
