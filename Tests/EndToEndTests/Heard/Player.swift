import Foundation
import Platform
import SystemPackage
import TestSupport

/// The built program, playing.
final class Player {
  private let process = Process()
  private let input = Pipe()
  private let errorFile: FilePath
  private let environment: [String: String]

  /// Calls `body` with a player that was started with `arguments`, and ends it afterwards, if it has not ended.
  static func run(
    _ arguments: [String], environment: [String: String], in directory: TemporaryDirectory,
    _ body: (Player) throws -> Void
  ) throws {
    let player = try Player(arguments, environment: environment, in: directory)
    defer {
      // What asks it to end is blocked in the threads that run tests, and what they start inherits that.
      if player.process.isRunning { kill(player.process.processIdentifier, SIGKILL) }
      player.process.waitUntilExit()
    }
    try body(player)
  }

  private init(_ arguments: [String], environment: [String: String], in directory: TemporaryDirectory) throws {
    errorFile = try directory.write([], to: "errors")
    self.environment = environment
    process.executableURL = URL(fileURLWithPath: Playground.program.string)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorFile.string))
    try process.run()
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// What `segue status` of another process says.
  func status(json: Bool = true) throws -> String {
    let status = Process()
    let output = Pipe()
    status.executableURL = process.executableURL
    status.arguments = ["status"] + (json ? ["--json"] : [])
    status.environment = environment
    status.standardOutput = output
    status.standardError = FileHandle.nullDevice
    try status.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    status.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// The lines on its standard error until now.
  var errors: [String] {
    get throws {
      String(decoding: try contents(of: errorFile), as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Waits until a line on its standard error holds `part`.
  func complains(_ part: String) throws {
    try waitFor("\"\(part)\"") { try errors.contains { $0.contains(part) } }
  }

  /// Ends the script that the REPL reads.
  func endScript() throws { try input.fileHandleForWriting.close() }

  /// Gives the REPL a line.
  func say(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits for its end, and gives its status and the lines on its standard error.
  func end(within seconds: UInt64) throws -> (status: Int32, errors: [String]) {
    try waitFor("the end of the program", seconds: seconds) { !process.isRunning }
    return (process.terminationStatus, try errors)
  }
}
