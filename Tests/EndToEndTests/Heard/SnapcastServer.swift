import Foundation
import Glibc
import Platform
import SystemPackage
import TestSupport

/// A Snapcast server of a test's own that reads a FIFO, and a client that writes what it plays to a file.
final class SnapcastServer {
  /// Why a test of Snapcast is not run.
  static let reason = "snapserver and snapclient are not installed"
  /// Whether there is what a test needs.
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
      buffer = 4000
      [logging]
      sink = file:\(directory.file("server.log"))

      """.utf8, to: "snapserver.conf")
  }

  /// Where the player puts its sound.
  var output: String { "raw:\(directory.file("fifo"))" }

  /// Starts a server and its client, in the place of those that were killed.
  func start() throws {
    server = try ChildProcess(
      "snapserver", ["-c", directory.file("snapserver.conf").string, "--server.datadir=\(directory.path)"],
      environment: environment)
    try startClient()
  }

  /// Ends the server at once, as a crash would, and its client, which does not always survive that.
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

  /// What the client has played until now.
  var frames: [(left: Int16, right: Int16)] {
    get throws { try frames(last: .max) }
  }

  /// At most so many of the frames that the client has played last: who looks at all of them again and again keeps the
  /// client waiting.
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

  /// Waits until what was heard last ends at `place`; unless `isEnd`, until it is beyond.
  func awaitSound(at place: Int, isEnd: Bool = false) throws {
    try waitFor(isEnd ? "the end of the sound" : "sound", every: 50) {
      let next = Ruler.runs(try frames(last: 4 * Self.rate)).last?.next ?? 0
      return isEnd ? next == place : next > place
    }
  }

  private func stop() {
    client?.end()
    server?.end()
  }

  /// A port of this machine that nobody listens at.
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
