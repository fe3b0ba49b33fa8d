public import Foundation
import Glibc
import Platform
import Synchronization
public import SystemPackage

/// Holds the suites that start processes, or whose very subject is real time or a resource of the whole machine.
///
/// It is nothing but a name by which the test commands choose: `--filter ProgramLane` runs these suites, and
/// `--skip ProgramLane` leaves them out.
public enum ProgramLane {}

/// A program of the system that makes or reads sound files.
public enum Tool {
  /// A program that ended badly.
  public struct Failure: Error, CustomStringConvertible {
    /// The command, its status, what it wrote to its standard error, and the end of its standard output.
    public let description: String

    /// A failure of this description.
    public init(description: String) { self.description = description }
  }

  /// Whether there is a program of this name.
  public static func exists(_ name: String) -> Bool { find(name) != nil }

  /// Runs `name` with `arguments` and gives what it writes to its standard output.
  @discardableResult
  public static func run(_ name: String, _ arguments: [String]) throws -> [UInt8] {
    guard let program = find(name) else { throw Failure(description: "there is no \(name)") }
    let directory = try TemporaryDirectory()
    let output = directory.file("output")
    let errors = directory.file("errors")
    let process = try ChildProcess(program, arguments, output: try handle(output), errors: try handle(errors))
    let status = process.waitUntilExit().status
    guard status == 0 else {
      // Some, as compilers do, say on their standard output what is wrong.
      let said = try contents(of: errors) + contents(of: output).suffix(2000)
      let text = String(decoding: said, as: UTF8.self)
      throw Failure(description: "\(name) \(arguments): \(status) \(text)")
    }
    return try contents(of: output)
  }

  private static func handle(_ path: FilePath) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: path.string, contents: nil)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
  }

  /// The program at the path `name`, or of this name.
  private static func find(_ name: String) -> String? {
    if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
    return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A program that a test has started; all of it may be called from any thread.
///
/// Foundation's `Process` is none for tests: it sees the end of a program by a socket that the program inherits, so
/// that whoever holds it longer, or lets go of it earlier, keeps the test waiting, now and then for ever.
public final class ChildProcess: Sendable {
  /// How a program ended.
  public enum Ending: Equatable, Sendable {
    /// It returned from `main`, or called `exit`.
    case exit(status: Int32)
    /// A signal ended it.
    case signal(number: Int32)

    /// The status that a shell gives to it: for a signal, its number and 128.
    public var status: Int32 {
      switch self {
      case .exit(let status): status
      case .signal(let number): number + 128
      }
    }
  }

  /// The number of its process.
  public let processIdentifier: Int32
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program, which is looked for in `PATH` where its name has no slash, as a shell would: no signal is
  /// blocked or ignored, and no descriptor of this process is inherited but the three; what is nil is `/dev/null`.
  ///
  /// - Throws: `Errno` where it cannot be started.
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

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // In a process group of its own, as a job of a shell.
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      if let number = Int32(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
    let command = (directory.map { ["env", "--chdir=\($0)"] } ?? []) + [program] + arguments
    let variables = environment ?? ProcessInfo.processInfo.environment
    var process = pid_t()
    let code = Self.withTexts(command) { arguments in
      Self.withTexts(variables.map { "\($0)=\($1)" }) { variables in
        posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw Errno(rawValue: code) }
    processIdentifier = process
  }

  /// Calls `body` with C's texts, and nil behind them.
  private static func withTexts<Result>(
    _ texts: [String], _ body: (inout [UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    var copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(&copies)
  }

  /// Whether it has not ended.
  public var isRunning: Bool { reap(WNOHANG) == nil }

  /// Sends it a signal, unless it was seen to have ended.
  public func send(_ signal: Int32) {
    ending.withLock { if $0 == nil { kill(processIdentifier, signal) } }
  }

  /// Waits until it ends.
  @discardableResult
  public func waitUntilExit() -> Ending {
    while true {
      // Without the lock, so that others can ask, and send signals, meanwhile.
      var information = siginfo_t()
      _ = waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT)
      if let ending = reap(0) { return ending }
    }
  }

  /// Ends it at once, if it has not ended.
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
