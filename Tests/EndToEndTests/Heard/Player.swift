// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport

/// A running `segue` process that plays through a sound server, with a pipe as its standard input.
final class Player {
  private let process: ChildProcess
  private let input = Pipe()
  private let errorFile: FilePath
  private let environment: [String: String]

  /// Calls `body` with a player started with `arguments`, and kills the player afterwards if it is still running.
  static func run(
    _ arguments: [String], environment: [String: String], in directory: TemporaryDirectory,
    _ body: (Player) throws -> Void
  ) throws {
    let player = try Player(arguments, environment: environment, in: directory)
    defer { player.process.end() }
    try body(player)
  }

  private init(_ arguments: [String], environment: [String: String], in directory: TemporaryDirectory) throws {
    errorFile = try directory.write([], to: "errors")
    self.environment = environment
    process = try ChildProcess(
      Playground.program.string, arguments, environment: environment, input: input.fileHandleForReading,
      errors: FileHandle(forWritingTo: URL(fileURLWithPath: errorFile.string)))
    try input.fileHandleForReading.close()
  }

  func send(_ signal: Int32) { process.send(signal) }

  /// Runs `segue status` in another process, and returns its output.
  func status(json: Bool = true) throws -> String { json ? try perform("status", "--json") : try perform("status") }

  /// Runs a command of `segue` in another process, and returns its output.
  @discardableResult
  func perform(_ arguments: String...) throws -> String {
    let output = Pipe()
    let command = try ChildProcess(
      Playground.program.string, arguments, environment: environment, output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    command.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// The lines that the player has written to standard error so far.
  var errors: [String] {
    get throws {
      String(decoding: try contents(of: errorFile), as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Waits until a line on the player's standard error contains `part`.
  func waitForError(containing part: String) throws {
    try waitFor("\"\(part)\"") { try errors.contains { $0.contains(part) } }
  }

  /// Closes the player's standard input, which ends the script that the REPL reads.
  func endScript() throws { try input.fileHandleForWriting.close() }

  /// Sends the REPL a line.
  func enter(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits until the player exits, and returns its status and the lines on its standard error.
  func waitUntilExit(within seconds: UInt64) throws -> (status: Int32, errors: [String]) {
    try waitFor("the end of the program", seconds: seconds) { !process.isRunning }
    return (process.waitUntilExit().status, try errors)
  }
}
