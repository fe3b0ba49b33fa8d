import Foundation
import Glibc
import Platform
import SystemPackage
import TestSupport

/// A message bus of a test's own. It ends with its last reference.
final class SessionBus {
  /// Why a test on a bus is not run.
  static let reason = "dbus-daemon, dbus-send, dbus-monitor and playerctl are not installed"
  /// Whether there is what a test needs.
  static let isInstalled = ["dbus-daemon", "dbus-send", "dbus-monitor", "playerctl"].allSatisfy(Tool.exists)

  /// Where it is.
  let address: String
  private let directory: TemporaryDirectory
  private var process: ChildProcess?
  private var monitor: ChildProcess?

  /// A bus that is started now, or later.
  init(isStarted: Bool = true) throws {
    directory = try TemporaryDirectory()
    address = "unix:path=\(directory.file("bus"))"
    if isStarted { try start() }
  }

  /// Starts it, for the first time or anew.
  func start() throws {
    let output = Pipe()
    process = try ChildProcess(
      "dbus-daemon", ["--session", "--nofork", "--print-address", "--address=\(address)"],
      output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    // It prints its address when it listens.
    _ = output.fileHandleForReading.availableData
  }

  deinit { kill() }

  /// Ends it at once.
  func kill() {
    for process in [monitor, process] { process?.end() }
  }

  /// Runs a program of this bus, and gives what it says.
  @discardableResult
  func run(_ arguments: String...) throws -> String {
    let said = try Tool.run("env", ["DBUS_SESSION_BUS_ADDRESS=\(address)", "LC_ALL=C.UTF-8"] + arguments)
    return String(decoding: said, as: UTF8.self)
  }

  /// What playerctl says of the player of this test.
  @discardableResult
  func player(_ arguments: String...) throws -> String {
    let said = try Tool.run(
      "env",
      ["DBUS_SESSION_BUS_ADDRESS=\(address)", "LC_ALL=C.UTF-8", "playerctl", "--player=segue"] + arguments)
    return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Calls a method of the player's object.
  @discardableResult
  func call(_ member: String, _ arguments: String..., of name: String = "org.mpris.MediaPlayer2.segue") throws
    -> String
  {
    let said = try Tool.run(
      "dbus-send",
      [
        "--bus=\(address)", "--print-reply", "--dest=\(name)", "/org/mpris/MediaPlayer2", member,
      ] + arguments)
    return String(decoding: said, as: UTF8.self)
  }

  /// The names of players.
  var names: [String] {
    get throws {
      let reply = try Tool.run(
        "dbus-send",
        [
          "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
          "org.freedesktop.DBus.ListNames",
        ])
      return String(decoding: reply, as: UTF8.self).split(separator: "\"").map(String.init).filter {
        $0.hasPrefix("org.mpris.")
      }.sorted()
    }
  }

  /// Waits until a player has this name.
  func awaitPlayer(_ name: String = "org.mpris.MediaPlayer2.segue") throws -> Bool {
    try eventually { try names.contains(name) }
  }

  /// Begins to record the signals of the player's object.
  func listen() throws {
    let output = try directory.write([], to: "signals")
    monitor = try ChildProcess(
      "dbus-monitor", ["--address", address, "type='signal',path='/org/mpris/MediaPlayer2'"],
      output: try FileHandle(forWritingTo: URL(fileURLWithPath: output.string)))
    // It says its own name when it listens.
    _ = try eventually { try !heard.isEmpty }
  }

  /// What was recorded.
  var heard: String {
    get throws { String(decoding: try contents(of: directory.file("signals")), as: UTF8.self) }
  }
}

/// Waits until `condition` holds; gives whether it did within a generous time.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let limit = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
  while MonotonicInstant.now < limit {
    if try condition() { return true }
    MonotonicInstant.now.advanced(byMilliseconds: 5).sleep()
  }
  return try condition()
}
