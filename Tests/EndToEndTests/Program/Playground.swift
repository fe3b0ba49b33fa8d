// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import Platform
import SystemPackage
import TestSupport
import Testing

/// Tests of the built program from outside.
@Suite(.serialized) enum ProgramTests {}

/// A private environment for a test that starts the program: a home directory, a state directory, and room for files.
final class Playground: Sendable {
  /// The exit status and output of a program.
  struct Outcome {
    /// The exit status; for a signal, 128 plus its number, as in a shell.
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The program built with the tests.
  static let program = built("segue")

  /// Returns a product that was built next to the tests.
  static func built(_ name: String) -> FilePath {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
    return FilePath(bundle ?? "").removingLastComponent().appending(name)
  }

  /// The directory of the package.
  static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().removingLastComponent()

  /// The library in the fixtures.
  static let music = root.appending("Fixtures").appending("Music")
  /// Broken files that a player must survive.
  static let broken = root.appending("Fixtures").appending("Broken")
  /// The directory of the album that was cut from one recording.
  static let canon = music.appending("The Clockwork Consort").appending("Ground and Air")

  let directory: TemporaryDirectory
  private let changes: [String: String]

  /// Creates the same playground with changes of the environment.
  init(_ other: Playground, with changes: [String: String]) {
    directory = other.directory
    self.changes = changes
  }

  /// Creates a playground with an index of the fixtures' library, unless it is to be scanned there.
  init(isScanned: Bool = true) throws {
    changes = [:]
    directory = try TemporaryDirectory()
    try directory.makeDirectory("home")
    if isScanned { try directory.write(Self.index.get(), to: "data/index.sqlite") }
  }

  /// The index of the fixtures' library, which is scanned once.
  private static let index = Result<[UInt8], any Error> {
    let playground = try Playground(isScanned: false)
    let outcome = try playground.segue("scan")
    guard outcome.status == 0 else { throw Tool.Failure(description: outcome.errors) }
    return try contents(of: playground.directory["data/index.sqlite"])
  }

  /// The path of `name` in the playground.
  subscript(_ name: String) -> String { directory[name].string }

  var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("SEGUE_") && !$0.key.hasPrefix("XDG_")
    }
    environment["HOME"] = self["home"]
    environment["SEGUE_STATE_DIR"] = self["state"]
    environment["SEGUE_DATA_DIR"] = self["data"]
    environment["SEGUE_LIBRARY"] = Self.music.string
    environment["TERM"] = "xterm"
    // The test runner sets this for its own output.
    environment["NO_COLOR"] = nil
    environment["LC_ALL"] = "C.UTF-8"
    environment["SEGUE"] = Self.program.string
    return environment.merging(changes) { $1 }
  }

  /// Runs `segue` to its end.
  func segue(_ arguments: String..., input: String? = nil, with changes: [String: String] = [:]) throws
    -> Outcome
  {
    try run(Self.program.string, arguments, input: input.map { Array($0.utf8) }, with: changes)
  }

  /// A shell function that waits for a condition: `await '[ -e state/socket ]'`.
  private static let await = """
    await() {
      local i
      for ((i = 0; i < 1500; i++)); do eval "$1" && return; sleep 0.02; done
      echo "never: $1" >&2
      return 1
    }

    """

  /// Runs a shell script to its end; `$SEGUE` is the program, and `await` waits for a condition.
  func shell(_ script: String) throws -> Outcome { try run("/bin/bash", ["-c", Self.await + script]) }

  /// Runs a program to its end with `input` in a pipe, or without input.
  ///
  /// After two minutes, it and all its children are killed, with the status 124: a command that hangs fails its test,
  /// and does not block the others.
  func run(
    _ program: String, _ arguments: [String], input: [UInt8]? = nil, with changes: [String: String] = [:]
  ) throws -> Outcome {
    let pipe = input.map { _ in Pipe() }
    let name = UUID().uuidString
    let process = try ChildProcess(
      "timeout", ["--kill-after=5", "120", program] + arguments,
      environment: environment.merging(changes) { $1 }, directory: directory.path,
      input: pipe?.fileHandleForReading, output: makeFile("\(name).out"), errors: makeFile("\(name).err"))
    if let input, let pipe {
      try pipe.fileHandleForReading.close()
      try? pipe.fileHandleForWriting.write(contentsOf: Data(input))
      try? pipe.fileHandleForWriting.close()
    }
    return Outcome(
      status: process.waitUntilExit().status,
      output: String(decoding: try bytes("\(name).out"), as: UTF8.self),
      errors: String(decoding: try bytes("\(name).err"), as: UTF8.self))
  }

  /// Returns the contents of a file in the playground.
  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: self[name])))
  }

  private func makeFile(_ name: String) throws -> FileHandle {
    try directory.write([], to: FilePath(name))
    return try FileHandle(forWritingTo: URL(fileURLWithPath: self[name]))
  }
}
