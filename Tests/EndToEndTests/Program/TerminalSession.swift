// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import Synchronization
import SystemPackage
import TestSupport
import UnicodeText

/// A program on a private terminal. Tests type on the terminal, and read its output.
final class TerminalSession {
  /// The DEC private modes that the program changes, with their initial states: the cursor, the mouse, the alternate
  /// screen, and bracketed paste.
  private static let privateModes = ["25": "h", "1002": "l", "1006": "l", "1049": "l", "2004": "l"]

  /// A Python script that runs a program as the leader of a session with this controlling terminal, and exits with the
  /// program's status, or with 128 plus the number of a signal: setsid(1) does not distinguish signals from statuses.
  private static let sessionLeader = """
    import fcntl, os, signal, sys, termios
    child = os.fork()
    if child == 0:
      for ignored in signal.SIGPIPE, signal.SIGXFSZ: signal.signal(ignored, signal.SIG_DFL)
      os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 1); os.execv(sys.argv[1], sys.argv[1:])
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]); sys.exit(status if status >= 0 else 128 - status)
    """

  private var master: Int32
  /// The program's side of the terminal. It stays open, so that its modes can be read after the program has exited.
  private let terminal: FileHandle
  private let process: ChildProcess
  private let initialSettings: termios
  private let output = Mutex<[UInt8]>([])

  /// Starts `program` on a terminal, which is its controlling terminal if `isControlling`.
  init(
    _ playground: Playground, _ arguments: [String], program: String = Playground.program.string,
    columns: UInt16 = 80, rows: UInt16 = 24, isControlling: Bool = false
  ) throws {
    var descriptors: (master: Int32, terminal: Int32) = (-1, -1)
    guard openpty(&descriptors.master, &descriptors.terminal, nil, nil, nil) == 0 else {
      throw Errno(rawValue: errno)
    }
    master = descriptors.master
    terminal = FileHandle(fileDescriptor: descriptors.terminal, closeOnDealloc: true)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    var settings = termios()
    _ = tcgetattr(descriptors.terminal, &settings)
    initialSettings = settings
    Self.resize(master, columns: columns, rows: rows)
    process = try ChildProcess(
      isControlling ? "/usr/bin/python3" : program,
      isControlling ? ["-I", "-S", "-c", Self.sessionLeader, program] + arguments : arguments,
      environment: playground.environment, directory: playground.directory.path, input: terminal, output: terminal,
      errors: terminal)
  }

  deinit {
    hangUp()
    process.end()
  }

  /// Disconnects the terminal.
  func hangUp() {
    guard master >= 0 else { return }
    _ = text
    close(master)
    master = -1
  }

  /// Types `text`.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  var processIdentifier: Int32 { process.processIdentifier }

  func send(_ signal: Int32) { process.send(signal) }

  /// Resizes the terminal, and sends SIGWINCH, which the system does only for a controlling terminal.
  func resize(columns: UInt16, rows: UInt16) {
    Self.resize(master, columns: columns, rows: rows)
    if process.isRunning { send(SIGWINCH) }
  }

  private static func resize(_ terminal: Int32, columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  /// All output so far.
  var text: String {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(master, &chunk, chunk.count)
      guard count > 0 else { break }
      output.withLock { $0 += chunk[..<count] }
    }
    return String(decoding: output.withLock { $0 }, as: UTF8.self)
  }

  /// Discards the output so far.
  func discardOutput() {
    _ = text
    output.withLock { $0 = [] }
  }

  /// Waits until the output contains `part`; returns false if it never does.
  func shows(_ part: String) -> Bool { eventually { text.contains(part) } }

  /// Waits until the output contains `part`, followed by `prompt`; returns false if it never does.
  func shows(_ part: String, thenPrompt prompt: String) -> Bool {
    eventually { text.components(separatedBy: part).dropFirst().last?.contains(prompt) == true }
  }

  /// The text that the full screen has drawn since the terminal was last cleared: pieces of lines with their
  /// columns, counted from 0, and without control sequences.
  var drawnPieces: [(column: Int, text: String)] {
    // Queries to the terminal and its title occupy no cells.
    let frame = (text.components(separatedBy: "\u{1B}[2J").last ?? "")
      .replacing(#/\u{1B}[_\]].*?\u{1B}\\/#.dotMatchesNewlines(), with: "")
    return frame.components(separatedBy: "\u{1B}[").dropFirst().reduce(into: []) { pieces, part in
      let end = part.firstIndex { $0.isLetter } ?? part.endIndex
      let text = part[end...].dropFirst()
      if part[end...].hasPrefix("H") {
        // Without a number, a line or a column is the first.
        let numbers = part[..<end].split(separator: ";", omittingEmptySubsequences: false)
        pieces.append(((numbers.dropFirst().first.flatMap { Int($0) } ?? 1) - 1, String(text)))
      } else if !pieces.isEmpty {
        pieces[pieces.count - 1].text += text
      }
    }
  }

  /// Returns whether something was drawn, and nothing beyond this number of columns.
  func hasDrawn(within columns: UInt16) -> Bool {
    let pieces = drawnPieces
    return !pieces.isEmpty && pieces.allSatisfy { $0.text.isEmpty || $0.column + $0.text.cellWidth <= Int(columns) }
  }

  /// Whether input is line-buffered and echoed, as for a shell.
  var isCooked: Bool {
    var settings = termios()
    guard tcgetattr(terminal.fileDescriptor, &settings) == 0 else { return false }
    return settings.c_lflag & tcflag_t(ICANON) != 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Whether the terminal is in its initial state: its settings, and the modes that the program changes.
  var isRestored: Bool {
    var settings = termios()
    guard tcgetattr(terminal.fileDescriptor, &settings) == 0 else { return false }
    let isSame =
      (settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag)
      == (initialSettings.c_iflag, initialSettings.c_oflag, initialSettings.c_cflag, initialSettings.c_lflag)
      && withUnsafeBytes(of: settings.c_cc) { new in
        withUnsafeBytes(of: initialSettings.c_cc) { new.elementsEqual($0) }
      }
    let printedText = text
    return isSame
      && Self.privateModes.allSatisfy { mode, value in
        let last = printedText.components(separatedBy: "\u{1B}[?\(mode)").dropFirst().last
        return last?.hasPrefix(value) ?? true
      }
  }

  /// Whether the program is suspended, as by Ctrl-Z.
  var isStopped: Bool {
    let path = "/proc/\(process.processIdentifier)/stat"
    return (try? String(contentsOfFile: path, encoding: .utf8))?.contains(") T ") ?? false
  }

  /// Waits until the program exits, and returns its status: for a signal, 128 plus its number. Returns `nil` if the
  /// program does not exit.
  func exitStatus() -> Int32? {
    guard
      eventually({
        _ = text
        return !process.isRunning
      })
    else { return nil }
    return process.waitUntilExit().status
  }
}

/// A tmux window in which a shell runs the program, to test what a user sees.
final class TerminalWindow {
  private static let tmux = "/usr/bin/tmux"

  /// The prompt of the shell.
  static let shellPrompt = "ready$ "

  private let playground: Playground
  private let socket: String

  /// Opens a window of `columns` and `rows`, with a shell at its prompt.
  init(_ playground: Playground, columns: Int = 80, rows: Int = 24, term: String? = nil) throws {
    self.playground = playground
    socket = playground["tmux-\(UUID().uuidString.prefix(8))"]
    let term = term.map { "TERM=\($0); " } ?? ""
    try playground.directory.write(
      "\(term)PS1='\(Self.shellPrompt)'; alias segue=\"$SEGUE\"; PROMPT_COMMAND=\n".utf8, to: "windowrc")
    // The tmux server must not inherit any descriptors: waiting for a program also waits for all processes that inherit
    // its descriptors.
    let closeDescriptors =
      "for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done; exec \"$@\""
    let shell = "exec /bin/bash --noprofile --rcfile \(playground["windowrc"]) -i"
    let outcome = try playground.run(
      "/bin/bash",
      [
        "-c", closeDescriptors, "bash", Self.tmux, "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x",
        "\(columns)", "-y", "\(rows)", shell,
      ])
    guard outcome.status == 0, shows(Self.shellPrompt.dropLast()) else { throw Errno.ioError }
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult private func tmux(_ arguments: String...) throws -> String {
    try playground.run(Self.tmux, ["-S", socket] + arguments).output
  }

  /// The window's title, which programs can set.
  var title: String { get throws { try tmux("display-message", "-p", "#{pane_title}") } }

  /// The column of the cursor, counted from 0, as a string.
  var cursorColumn: String { get throws { try tmux("display-message", "-p", "#{cursor_x}") } }

  /// Presses keys, given by their tmux names.
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types `text`.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Pastes `text`, as a bracketed paste if the program has enabled that.
  func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p")
  }

  /// Resizes the window.
  func resize(columns: Int, rows: Int = 24) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The rows of the window, without trailing spaces and without empty rows at the bottom.
  var rows: [String] {
    var rows = ((try? tmux("capture-pane", "-p")) ?? "").components(separatedBy: "\n").map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
    while rows.last?.isEmpty == true { rows.removeLast() }
    return rows
  }

  /// Waits until a row contains `part`; returns false if none ever does.
  func shows(_ part: some StringProtocol) -> Bool { eventually { rows.contains { $0.contains(part) } } }

  /// Waits until the last rows of the window are `last`; returns false if they never are.
  func ends(with last: String...) -> Bool { eventually { rows.suffix(last.count) == last } }
}
