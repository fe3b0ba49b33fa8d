public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that shows text page by page, such as less(1): it reads what is written to it.
///
/// For one thread.
public struct Pager: ~Copyable {
  private let process: pid_t
  private let input: FileDescriptor
  private let interruption: InterruptionHandler

  /// less, or where it is not installed, cat.
  private static let less = "if command -v less >/dev/null; then exec less; else exec cat; fi"

  /// The command that the user wants for it: `$SEGUE_PAGER`, `$PAGER`, or less; `nil` where that is empty or "cat".
  public static var command: String? {
    let names = ["SEGUE_PAGER", "PAGER"]
    let chosen = names.lazy.compactMap { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
      .first
    let command = chosen ?? less
    return ["", "cat"].contains(command) ? nil : command
  }

  /// Starts `command` by the shell, on the terminal that is standard output. Where its program is not there, that is
  /// said, and the text passes through.
  ///
  /// less is told to end by itself where all fits on the screen, and to leave the text on it, unless `$LESS` says
  /// otherwise; and to begin with `line`, counted from 1, in the middle of the screen, where one is given. Other pagers
  /// begin with the first.
  ///
  /// - Throws: `Errno` where it cannot be started.
  public init(_ command: String, line: Int? = nil) throws(Errno) {
    // From here on, Ctrl-C is the pager's.
    let interruption = InterruptionHandler()
    let place = line.map { "LESS=\"$LESS -j.5 +\($0)g\"; " } ?? ""
    let started: (process: pid_t, input: FileDescriptor)
    do {
      started = try Self.start(
        #": "${LESS=FRX}"; "# + place + "export LESS; " + Self.check(command) + command)
    } catch {
      interruption.restore()
      throw error as? Errno ?? .ioError
    }
    (process, input) = started
    self.interruption = interruption
  }

  /// What the shell is to do before `command`: to look whether there is the program that it begins with, where that is
  /// a plain name.
  private static func check(_ command: String) -> String {
    let name = command.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "/._+-".contains($0)) }
    guard !name.isEmpty, name.endIndex == command.endIndex || command[name.endIndex] == " " else { return "" }
    return "command -v \(name) >/dev/null || { echo 'there is no pager \(name)' >&2; exec cat; }; "
  }

  private static func start(_ command: String) throws -> (process: pid_t, input: FileDescriptor) {
    let pipe = try FileDescriptor.pipe()
    defer { try? pipe.readEnd.close() }
    // Otherwise it would hold its own input open.
    _ = fcntl(pipe.writeEnd.rawValue, F_SETFD, FD_CLOEXEC)
    do {
      return (try spawn(command, input: pipe.readEnd), pipe.writeEnd)
    } catch {
      try? pipe.writeEnd.close()
      throw error
    }
  }

  private static func spawn(_ command: String, input: FileDescriptor) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0)
    // Libraries' messages were diverted from standard error; a pager speaks to the terminal.
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // This program ignores broken pipes, and blocks signals for its watch: neither is for the pager.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process = pid_t()
    let code = unsafe command.withCString { text in
      unsafe "sh".withCString { name in
        unsafe "-c".withCString { option in
          let arguments = unsafe [name, option, text].map { unsafe UnsafeMutablePointer(mutating: $0) }
          return unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments + [nil], environ)
        }
      }
    }
    if code != 0 { throw Errno(rawValue: code) }
    return process
  }

  /// Gives it `text` to show.
  ///
  /// - Throws: `Errno.brokenPipe` where the user has seen enough.
  public func write(_ text: String) throws(Errno) {
    do {
      try input.writeAll(text.utf8)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Says that this was all, and waits until the user has read it.
  public consuming func finish() {
    try? input.close()
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1 && errno == EINTR {}
    interruption.restore()
  }
}

/// What the process did at SIGINT before it was told to ignore it.
private struct InterruptionHandler {
  private var previous = sigaction()

  /// Has SIGINT ignored.
  init() {
    var ignoring = sigaction()
    #if canImport(Darwin)
      unsafe ignoring.__sigaction_u.__sa_handler = SIG_IGN
    #else
      unsafe ignoring.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    unsafe sigaction(SIGINT, &ignoring, &previous)
  }

  /// Has things as they were.
  func restore() {
    var previous = previous
    unsafe sigaction(SIGINT, &previous, nil)
  }
}
