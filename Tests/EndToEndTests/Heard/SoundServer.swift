import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport

/// A PulseAudio of a test's own, without a device, and a recording of what a listener would have heard of it.
///
/// Its null sink keeps real time. It does not rewind: in PulseAudio 16 the first milliseconds of any stream are missing
/// from the monitor of one that does, whoever plays. It sleeps until it is recorded, so that it does not begin with the
/// two seconds of silence that it would have prepared before.
final class SoundServer {
  /// Why a test of what is heard is not run.
  static let reason = "pulseaudio and parec are not installed"
  /// Whether there is what a test needs.
  static let isInstalled = Tool.exists("pulseaudio") && Tool.exists("parec")

  /// More at once would take the processors from each other, where there are many test threads.
  private static let places = DispatchSemaphore(value: 3)

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
    places.wait()
    defer { places.signal() }
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

  /// An environment in which programs know no sound server but the one in `directory`, and start none.
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

  /// Starts a server, and lets its clients find it when it is recorded.
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

  /// Begins a recording.
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

  /// Starts a program that ends when `stop` is called or when the tests end, however they end: a shell ends it when
  /// nobody holds the other end of its pipe.
  private func launch(_ name: String, _ arguments: [String], output: FileHandle? = nil) throws {
    let leash = Pipe()
    let process = try ChildProcess(
      "/bin/sh", ["-c", "\"$@\" & read -r _; kill -KILL $!", "sh", name] + arguments, environment: environment,
      input: leash.fileHandleForReading, output: output)
    try leash.fileHandleForReading.close()
    processes.append((process, leash.fileHandleForWriting))
  }

  // MARK: Outages

  /// Ends the server at once, as a crash would, and with it the recording.
  func kill() { stop() }

  /// Starts another server in the place of the one that was killed, and another recording.
  func restart() throws { try start() }

  /// Gives the server a command of pactl's.
  func control(_ arguments: String...) throws { try control(arguments) }

  /// Takes the sink away, and with it the recording; clients find nothing.
  func unplug() throws {
    try control("unload-module", "module-null-sink")
    hide()
  }

  /// Brings the sink back, and begins another recording before clients can find it.
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

  /// How many frames have been recorded: the clock of the recording.
  var frameCount: Int {
    get throws { Int(try FileStatus(of: recording).size) / frameSize }
  }

  /// All that has been recorded.
  var bytes: [UInt8] {
    get throws { try contents(of: recording) }
  }

  /// The frames that have been recorded, of 16 bits, as pairs.
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

  /// Waits until sound has been recorded, and gives the first frame of it.
  func awaitSound() throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording.string))
    // What was looked at is not looked at again: a test that is busy would keep the server waiting.
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

/// What took too long.
struct TooLate: Error {
  let what: String
}

/// Waits until `isReached` holds, which has to be soon, and asks so every few milliseconds.
func waitFor(
  _ what: String, seconds: UInt64 = 60, every pause: UInt64 = 2, until isReached: () throws -> Bool
) throws {
  let limit = MonotonicInstant.now.advanced(byMilliseconds: seconds * 1000)
  while try !isReached() {
    guard MonotonicInstant.now < limit else { throw TooLate(what: what) }
    MonotonicInstant.now.advanced(byMilliseconds: pause).sleep()
  }
}
