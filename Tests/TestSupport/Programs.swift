// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
public import Foundation
import Platform
import Synchronization
public import SystemPackage

/// A namespace for test suites that start processes, or that test real time or a resource of the whole machine.
///
/// It only serves to select tests by name: `--filter ProgramLane` runs these suites, and `--skip ProgramLane` omits
/// them.
public enum ProgramLane {}

/// Runs installed programs that create or read audio files.
public enum Tool {
  /// The error of a program that has failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The command, its status, its output to standard error, and the end of its standard output.
    public let description: String

    /// Creates the error from its description.
    public init(description: String) { self.description = description }
  }

  /// Returns whether a program with this name exists.
  public static func exists(_ name: String) -> Bool { find(name) != nil }

  /// Runs the program `name` with `arguments`, and returns its standard output.
  ///
  /// - Throws: ``Failure`` if the program does not exist, or if its status is not 0.
  @discardableResult
  public static func run(_ name: String, _ arguments: [String]) throws -> [UInt8] {
    guard let program = find(name) else { throw Failure(description: "there is no \(name)") }
    let directory = try TemporaryDirectory()
    let output = directory.file("output")
    let errors = directory.file("errors")
    let process = try ChildProcess(program, arguments, output: try handle(output), errors: try handle(errors))
    let status = process.waitUntilExit().status
    guard status == 0 else {
      // Some programs, such as compilers, write their errors to standard output.
      let messages = try contents(of: errors) + contents(of: output).suffix(2000)
      let text = String(decoding: messages, as: UTF8.self)
      throw Failure(description: "\(name) \(arguments): \(status) \(text)")
    }
    return try contents(of: output)
  }

  private static func handle(_ path: FilePath) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: path.string, contents: nil)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
  }

  /// Returns the program at the path `name`, or with this name in `PATH`; `nil` if there is none.
  private static func find(_ name: String) -> String? {
    if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
    return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A program that a test has started. Safe to use from any thread.
///
/// Foundation's `Process` is unsuitable for tests. It detects the end of a program by a socket that the program
/// inherits, so a child process that keeps the socket open longer, or closes it earlier, makes the test wait, sometimes
/// for ever.
public final class ChildProcess: Sendable {
  /// The way in which a program has ended.
  public enum Ending: Equatable, Sendable {
    /// The program returned from `main`, or called `exit`.
    case exit(status: Int32)
    /// The program was ended by a signal.
    case signal(number: Int32)

    /// The status that a shell reports. For a signal, that is its number plus 128.
    public var status: Int32 {
      switch self {
      case .exit(let status): status
      case .signal(let number): number + 128
      }
    }
  }

  /// The ID of the process.
  public let processIdentifier: Int32
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program as a shell would: no signal is blocked or ignored, and no descriptor of this process is inherited
  /// except the three given ones. If the name of the program contains no slash, it is searched for in `PATH`. A stream
  /// that is `nil` is redirected to `/dev/null`.
  ///
  /// - Throws: `Errno` if the program cannot be started.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil, directory: FilePath? = nil,
    input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [input, output, errors].enumerated() {
      if let stream {
        posix_spawn_file_actions_adddup2(&actions, stream.fileDescriptor, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    // Another test may open a file at this moment, so none can be marked beforehand.
    ProcessCloseFromAtStart(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The process gets a process group of its own, like a job of a shell.
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let command = (directory.map { ["env", "--chdir=\($0)"] } ?? []) + [program] + arguments
    let variables = environment ?? ProcessInfo.processInfo.environment
    var process = pid_t()
    let code = Self.withCStrings(command) { arguments in
      Self.withCStrings(variables.map { "\($0)=\($1)" }) { variables in
        posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw Errno(rawValue: code) }
    processIdentifier = process
  }

  /// Calls `body` with the strings as C strings, followed by a null pointer.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (inout [UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    var copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(&copies)
  }

  /// Whether the program is still running.
  public var isRunning: Bool { reap(WNOHANG) == nil }

  /// Sends the program a signal, unless it is known to have ended.
  public func send(_ signal: Int32) {
    ending.withLock { if $0 == nil { kill(processIdentifier, signal) } }
  }

  /// Waits until the program ends.
  @discardableResult
  public func waitUntilExit() -> Ending {
    while true {
      // Wait without the lock, so that other threads can use this object meanwhile.
      var information = siginfo_t()
      _ = waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT)
      if let ending = reap(0) { return ending }
    }
  }

  /// Kills the program, unless it has ended already.
  public func end() {
    send(SIGKILL)
    waitUntilExit()
  }

  private func reap(_ options: Int32) -> Ending? {
    ending.withLock { ending in
      var status: Int32 = 0
      guard ending == nil, waitpid(processIdentifier, &status, options) == processIdentifier else { return ending }
      let signal = status & 0x7F
      ending = signal == 0 ? .exit(status: status >> 8 & 0xFF) : .signal(number: signal)
      return ending
    }
  }
}
