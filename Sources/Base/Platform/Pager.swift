// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// A running pager: a program such as less(1) that shows the text written to it page by page.
///
/// Only one thread may use it.
public struct Pager: ~Copyable {
  private let process: pid_t
  private let input: FileDescriptor
  private let interruption: InterruptionHandler

  /// The default pager command: less, or cat if less is not installed.
  private static let less = "if command -v less >/dev/null; then exec less; else exec cat; fi"

  /// The user's pager command: `$SEGUE_PAGER`, `$PAGER`, or less; `nil` if the command is empty or "cat", which means
  /// no pager.
  public static var command: String? {
    let names = ["SEGUE_PAGER", "PAGER"]
    let chosen = names.lazy.compactMap { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
      .first
    let command = chosen ?? less
    return ["", "cat"].contains(command) ? nil : command
  }

  /// Starts `command` in a shell, on the terminal of standard output. If the program is not found, a message is
  /// printed, and the text is passed through.
  ///
  /// Unless `$LESS` is set, less quits if the text fits on the screen, and leaves the text there. If `line` is given,
  /// counted from 1, less starts with that line in the middle of the screen; other pagers start at the first line.
  ///
  /// - Throws: `Errno` if the shell cannot be started.
  public init(_ command: String, line: Int? = nil) throws(Errno) {
    // From here on, Ctrl-C is for the pager.
    let interruption = InterruptionHandler()
    let startOption = line.map { "LESS=\"$LESS -j.5 +\($0)g\"; " } ?? ""
    let started: (process: pid_t, input: FileDescriptor)
    do throws(Errno) {
      started = try Self.start(
        #": "${LESS=FRX}"; "# + startOption + "export LESS; " + Self.check(command) + command)
    } catch {
      interruption.restore()
      throw error
    }
    (process, input) = started
    self.interruption = interruption
  }

  /// Returns a shell command that checks whether the program of `command` exists; empty unless `command` begins with a
  /// plain name.
  private static func check(_ command: String) -> String {
    let name = command.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "/._+-".contains($0)) }
    guard !name.isEmpty, name.endIndex == command.endIndex || command[name.endIndex] == " " else { return "" }
    return "command -v \(name) >/dev/null || { echo 'pager not found: \(name)' >&2; exec cat; }; "
  }

  private static func start(_ command: String) throws(Errno) -> (process: pid_t, input: FileDescriptor) {
    let pipe = try FileDescriptor.ownPipe()
    defer { try? pipe.readEnd.close() }
    do throws(Errno) {
      // Standard error is diverted because of libraries' messages, but those of a pager belong on the terminal.
      let process = try ProgramStart.spawn(
        "/bin/sh", ["sh", "-c", command], input: pipe.readEnd, outputs: .inherited, isForeground: true
      ) { _ in true }
      return (process, pipe.writeEnd)
    } catch {
      try? pipe.writeEnd.close()
      throw error
    }
  }

  /// Writes `text` to the pager.
  ///
  /// - Throws: `Errno.brokenPipe` if the user has quit the pager.
  public func write(_ text: String) throws(Errno) {
    try asErrno { try input.writeAll(text.utf8) }
  }

  /// Ends the text and waits until the user quits the pager.
  public consuming func finish() {
    try? input.close()
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1 && errno == EINTR {}
    interruption.restore()
  }
}

/// Ignores SIGINT until ``restore()`` is called, and stores the previous action for it.
private struct InterruptionHandler {
  private var previous = sigaction()

  init() {
    var ignoring = sigaction()
    #if canImport(Darwin)
      unsafe ignoring.__sigaction_u.__sa_handler = SIG_IGN
    #else
      unsafe ignoring.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    unsafe sigaction(SIGINT, &ignoring, &previous)
  }

  /// Restores the previous action for SIGINT.
  func restore() {
    var previous = previous
    unsafe sigaction(SIGINT, &previous, nil)
  }
}
