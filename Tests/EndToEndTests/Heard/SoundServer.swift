// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport

/// A private PulseAudio server without a device, and a recording of the sound that a listener would hear.
///
/// Its null sink runs in real time. The sink does not rewind: in PulseAudio 16, the monitor of a rewinding sink lacks
/// the first milliseconds of any stream, from any player. It is suspended until it is being recorded; otherwise the
/// recording would start with two seconds of silence that the sink has already rendered.
final class SoundServer {
  /// The reason that tests of sound are skipped.
  static let reason = "pulseaudio and parec are not installed"
  /// Whether the required programs are installed.
  static let isInstalled = Tool.exists("pulseaudio") && Tool.exists("parec")

  /// The reason that tests of the sound card are skipped.
  static let cardReason = "pulseaudio, a C compiler and the headers of libasound are not installed"
  /// Whether a sound card can be simulated.
  static let hasCard =
    Tool.exists("pulseaudio") && cardCompiler != nil && FileStatus.isFile(at: "/usr/include/alsa/asoundlib.h") == true
  private static let cardCompiler = ["cc", "clang"].first(where: Tool.exists)

  /// Limits the number of servers: more would compete for the processors if there are many test threads.
  private static let serverSlots = DispatchSemaphore(value: 3)

  let directory: TemporaryDirectory
  /// A directory for music, inside `directory`.
  let album: FilePath
  let rate: Int
  /// The environment of the clients.
  let environment: [String: String]
  private let depth: SampleDepth
  private var recording: FilePath
  private var processes: [(process: ChildProcess, killSwitch: FileHandle)] = []
  private var serverCount = 0
  private var recordingCount = 0
  private var frameSize: Int { depth.byteCount * 2 }

  /// Calls `body` with a server that is being recorded, and ends the server and the recording afterwards.
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

  /// Calls `body` with a server whose sink is a simulated sound card, from which PulseAudio takes back what it has
  /// rendered. What the card has played is recorded.
  ///
  /// A frame that PulseAudio has not delivered in time is missing in the recording: see ``isMissing(_:)``.
  static func runWithCard(_ body: (SoundServer) throws -> Void) throws {
    serverSlots.wait()
    defer { serverSlots.signal() }
    let libraries = try TemporaryDirectory()
    let source = FilePath(#filePath).removingLastComponent().appending("SimulatedCard.c")
    let card = libraries.file("card.so")
    try Tool.run(
      cardCompiler ?? "cc", ["-shared", "-fPIC", "-DPIC", "-O1", "-o", card.string, source.string, "-lasound"])
    let server = try SoundServer(rate: 44_100, depth: .bits16)
    defer { server.stop() }
    try server.startWithCard(card)
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
    // The socket exists before the server listens on it.
    try waitFor("the server") { (try? LocalSocket(connectingTo: socket)) != nil }
    try record()
    hideSocket()
    try publishSocket()
  }

  private func startWithCard(_ card: FilePath) throws {
    serverCount += 1
    recording = try directory.write([], to: "played")
    let settings = try directory.write(
      """
      pcm_type.simulated { lib "\(card)" }
      pcm.card { type simulated log "\(recording)" }
      """.utf8, to: "asound.conf")
    try launch(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
        "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
        "-L", "module-alsa-sink device=card sink_name=test mmap=1 tsched=1 rate=\(rate) format=s16le",
      ],
      environment: environment.merging(
        ["ALSA_CONFIG_PATH": "/usr/share/alsa/alsa.conf:\(settings)", "LD_PRELOAD": card.string]) { $1 })
    try waitFor("the server") { (try? LocalSocket(connectingTo: socket)) != nil }
    try publishSocket()
  }

  /// Starts a recording.
  private func record() throws { recording = try record("test") }

  /// Starts a recording of this sink, and returns its file.
  private func record(_ sink: String) throws -> FilePath {
    recordingCount += 1
    let recording = try directory.write([], to: "recording-\(recordingCount)")
    try launch(
      "parec",
      [
        "--server=unix:\(socket)", "--device=\(sink).monitor", "--raw", "--format=s\(depth.rawValue)le",
        "--rate=\(rate)", "--channels=2", "--latency-msec=20", "--process-time-msec=10",
      ], output: FileHandle(forWritingTo: URL(fileURLWithPath: recording.string)))
    try waitFor("the recorder") { try FileStatus(of: recording).size > 0 }
    return recording
  }

  /// Starts a program that ends when `stop` is called, or when the tests end in any way: a shell kills the program
  /// once the other end of the shell's input pipe is closed.
  private func launch(
    _ name: String, _ arguments: [String], environment: [String: String]? = nil, output: FileHandle? = nil
  ) throws {
    let killSwitch = Pipe()
    let process = try ChildProcess(
      "/bin/sh", ["-c", "\"$@\" & read -r _; kill -KILL $!", "sh", name] + arguments,
      environment: environment ?? self.environment,
      input: killSwitch.fileHandleForReading, output: output)
    try killSwitch.fileHandleForReading.close()
    processes.append((process, killSwitch.fileHandleForWriting))
  }

  // MARK: Outages

  /// Kills the server, as in a crash, and ends the recording.
  func kill() { stop() }

  /// Starts a new server in place of the killed one, and a new recording.
  func restart() throws { try start() }

  /// Runs a pactl command on the server.
  func control(_ arguments: String...) throws { try control(arguments) }

  /// What the desktop's mixer knows of the players.
  func playerProperties() throws -> String {
    String(decoding: try Tool.run("pactl", ["--server=unix:\(socket)", "list", "sink-inputs"]), as: UTF8.self)
  }

  /// Sets the volume of the only player in the desktop's mixer.
  func setPlayerVolume(percent: Int) throws {
    let streams = try Tool.run("pactl", ["--server=unix:\(socket)", "list", "short", "sink-inputs"])
    let number = String(decoding: streams, as: UTF8.self).prefix { $0.isNumber }
    try control("set-sink-input-volume", String(number), "\(percent)%")
  }

  /// Plays silence as a phone call while `body` runs.
  func call(_ body: () throws -> Void) throws {
    let call = try directory.write(
      WaveFile.bytes([Int32](repeating: 0, count: 120 * rate), rate: rate, channels: 2, depth: .bits16), to: "call.wav")
    try launch("paplay", ["--server=unix:\(socket)", "--property=media.role=phone", call.string])
    try body()
    guard let (process, killSwitch) = processes.popLast() else { return }
    try killSwitch.close()
    process.waitUntilExit()
  }

  /// Plays silence as a phone call of this length.
  func call(lastingMilliseconds milliseconds: Int) throws {
    let silence = [Int32](repeating: 0, count: 2 * rate * milliseconds / 1_000)
    let call = try directory.write(
      WaveFile.bytes(silence, rate: rate, channels: 2, depth: .bits16), to: "short-call.wav")
    try Tool.run("paplay", ["--server=unix:\(socket)", "--property=media.role=phone", call.string])
  }

  /// Removes the sink, which ends the recording, and keeps clients from connecting.
  func unplug() throws {
    try control("unload-module", "module-null-sink")
    hideSocket()
  }

  /// Restores the sink, and starts a new recording before clients can connect.
  func plugIn() throws {
    try control(["load-module"] + sink.split(separator: " ").map(String.init))
    try record()
    try publishSocket()
  }

  /// Removes the link through which clients find the server.
  private func hideSocket() { try? FileManager.default.removeItem(atPath: directory.file("native").string) }

  /// Creates the link through which clients find the server.
  private func publishSocket() throws { try directory.link("native", to: socket.string) }

  /// Adds a sink of this name. Returns the number of its module, and the file to which it is recorded from now on.
  func addSink(_ name: String) throws -> (module: String, recording: FilePath) {
    let arguments = sink.replacing("sink_name=test", with: "sink_name=\(name)").split(separator: " ").map(String.init)
    let module = try Tool.run("pactl", ["--server=unix:\(socket)", "load-module"] + arguments)
    let file = try record(name)
    return (String(decoding: module, as: UTF8.self).filter(\.isNumber), file)
  }

  private func control(_ arguments: [String]) throws {
    try Tool.run("pactl", ["--server=unix:\(socket)"] + arguments)
  }

  private func stop() {
    defer { processes = [] }
    for (process, killSwitch) in processes.reversed() {
      try? killSwitch.close()
      process.waitUntilExit()
    }
  }

  // MARK: Recording

  /// The number of frames recorded so far, which serves as a clock.
  var frameCount: Int {
    get throws { Int(try FileStatus(of: recording).size) / frameSize }
  }

  /// All recorded bytes.
  var bytes: [UInt8] {
    get throws { try contents(of: recording) }
  }

  /// The recorded 16-bit frames, as pairs.
  var frames: [(left: Int16, right: Int16)] {
    get throws { Self.frames(in: try bytes) }
  }

  static func frames(in bytes: [UInt8]) -> [(left: Int16, right: Int16)] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, through: bytes.count - 4, by: 4).map { start in
        (
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int16.self)),
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 2, as: Int16.self))
        )
      }
    }
  }

  /// The last recorded 16-bit frame; `nil` before the first.
  var lastFrame: (left: Int16, right: Int16)? {
    get throws {
      let count = try frameCount
      guard count > 0 else { return nil }
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording.string))
      try file.seek(toOffset: UInt64((count - 1) * frameSize))
      return try file.read(upToCount: frameSize).flatMap { Self.frames(in: Array($0)).first }
    }
  }

  /// Returns whether the sound card has recorded `frame` in place of one that PulseAudio has not delivered in time.
  static func isMissing(_ frame: (left: Int16, right: Int16)) -> Bool { frame.left == .min && frame.right == .min }

  /// Waits until `count` frames have been recorded.
  func record(until count: Int) throws {
    try waitFor("\(count) frames", seconds: 60) { try frameCount >= count }
  }

  /// Waits until sound has been recorded, and returns the index of its first frame.
  func awaitSound() throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording.string))
    // Each part is read only once, since a busy test would delay the server.
    var silentBytes = 0
    try waitFor("sound") {
      let part = try file.readToEnd() ?? Data()
      let first = part.firstIndex { $0 != 0 }
      silentBytes += first.map { $0 - part.startIndex } ?? part.count
      return first != nil
    }
    return silentBytes / frameSize
  }
}

/// The error for a condition that was not met in time.
struct TimeoutError: Error {
  let condition: String
}

/// Waits until `isReached` returns true, polling every few milliseconds.
func waitFor(
  _ condition: String, seconds: UInt64 = 60, every pause: UInt64 = 2, until isReached: () throws -> Bool
) throws {
  let limit = MonotonicInstant.now.advanced(byMilliseconds: seconds * 1000)
  while try !isReached() {
    guard MonotonicInstant.now < limit else { throw TimeoutError(condition: condition) }
    MonotonicInstant.now.advanced(byMilliseconds: pause).sleep()
  }
}
