import Foundation
import Platform
import SystemPackage
import TestSupport

/// The built program, playing.
final class Player {
  private static let program: FilePath = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
    let built = bundle.map { FilePath($0).removingLastComponent().appending("segue") }
    if let built, (try? FileStatus(of: built))?.kind == .regular { return built }
    return Fixture.directory.removingLastComponent().pushing(".build/debug/segue")
  }()

  private let process = Process()
  private let input = Pipe()
  private let errorFile: FilePath

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

  private init(_ arguments: [String], environment: [String: String], in directory: TemporaryDirectory) throws
  {
    errorFile = try directory.write([], to: "errors")
    process.executableURL = URL(fileURLWithPath: Self.program.string)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorFile.string))
    try process.run()
  }

  /// Gives the REPL a line.
  func say(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits for its end, and gives its status and the lines on its standard error.
  func end(within seconds: UInt64) throws -> (status: Int32, errors: [String]) {
    try waitFor("the end of the program", seconds: seconds) { !process.isRunning }
    let errors = String(decoding: try contents(of: errorFile), as: UTF8.self)
    return (process.terminationStatus, errors.split(separator: "\n").map(String.init))
  }
}
