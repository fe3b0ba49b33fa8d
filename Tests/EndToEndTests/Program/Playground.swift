// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// Tests that run the built program.
@Suite(.blocking) enum ProgramTests {}

/// A private environment for a test that starts the program, with directories for its home, state, data and files.
final class Playground: Sendable {
  /// The exit status and the output of a program.
  struct Outcome {
    /// The exit status; for a signal, 128 plus its number, as in a shell.
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The path of the program that was built with the tests.
  static let program = product("segue")

  /// Returns the path of a product that was built with the tests.
  static func product(_ name: String) -> FilePath {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
    return FilePath(bundle ?? "").removingLastComponent().appending(name)
  }

  /// The root directory of the package.
  static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().removingLastComponent()

  /// The library in the fixtures.
  static let music = root.appending("Fixtures").appending("Music")
  /// The directory of broken files, which the program has to tolerate.
  static let broken = root.appending("Fixtures").appending("Broken")
  /// The directory of the album that was cut from one recording.
  static let canon = music.appending("The Clockwork Consort").appending("Ground and Air")

  let directory: TemporaryDirectory
  private let variables: [String: String]

  /// Creates a playground in the directory of `other`, with additional environment variables.
  init(_ other: Playground, with variables: [String: String]) {
    directory = other.directory
    self.variables = variables
  }

  /// Creates a playground, with a complete index of the fixtures' library if `isScanned`.
  init(isScanned: Bool = true) throws {
    variables = [:]
    directory = try TemporaryDirectory()
    try directory.makeDirectory("home")
    if isScanned { try directory.write(Self.index.get(), to: "data/index.sqlite") }
  }

  /// The index of the fixtures' library, which is scanned only once for all tests.
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
    return environment.merging(variables) { $1 }
  }

  /// Runs `segue`, and waits until it exits.
  func segue(_ arguments: String..., input: String? = nil, with variables: [String: String] = [:]) throws
    -> Outcome
  {
    try run(Self.program.string, arguments, input: input.map { Array($0.utf8) }, with: variables)
  }

  /// A shell function that waits for a condition: `await '[ -e state/socket ]'`. What the condition prints as errors
  /// before it holds does not count: a file that it reads may not be there yet.
  private static let await = """
    await() {
      local i
      for ((i = 0; i < 1500; i++)); do eval "$1" 2> /dev/null && return; sleep 0.02; done
      eval "$1" && return
      echo "never: $1" >&2
      return 1
    }

    """

  /// Runs a shell script, and waits until it exits. `$SEGUE` is the program, and `await` waits for a condition.
  func shell(_ script: String) throws -> Outcome { try run("/bin/bash", ["-c", Self.await + script]) }

  /// Runs a program with `input` in a pipe, or without input, and waits until it exits.
  ///
  /// After five minutes, the program and all its children are killed, with the status 124. Thus a command that hangs
  /// fails its own test, but does not block the others.
  func run(
    _ program: String, _ arguments: [String], input: [UInt8]? = nil, with variables: [String: String] = [:]
  ) throws -> Outcome {
    let pipe = input.map { _ in Pipe() }
    let name = UUID().uuidString
    let process = try ChildProcess(
      "timeout", ["--kill-after=5", "300", program] + arguments,
      environment: environment.merging(variables) { $1 }, directory: directory.path,
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
