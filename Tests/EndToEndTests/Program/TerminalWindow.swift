import Foundation
import SystemPackage
import TestSupport

/// A window of tmux, in which a shell runs the program: what it shows is what a user would see.
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
    // Whoever waits for a program waits for all that have its descriptors, too: tmux' server keeps none.
    let close =
      "for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done; exec \"$@\""
    let shell = "exec /bin/bash --noprofile --rcfile \(playground["windowrc"]) -i"
    let outcome = try playground.run(
      "/bin/bash",
      [
        "-c", close, "bash", Self.tmux, "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x",
        "\(columns)", "-y", "\(rows)", shell,
      ])
    guard outcome.status == 0, shows(Self.shellPrompt.dropLast()) else { throw Errno.ioError }
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult private func tmux(_ arguments: String...) throws -> String {
    try playground.run(Self.tmux, ["-S", socket] + arguments).output
  }

  /// Its title, which programs can set.
  var title: String { get throws { try tmux("display-message", "-p", "#{pane_title}") } }

  /// Presses keys, which have tmux' names.
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types `text`.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Pastes `text`, marked where the program asked for that.
  func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p")
  }

  /// Gives the window another size.
  func resize(columns: Int, rows: Int = 24) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What the window shows: its rows from the top, without spaces at their ends, to the last that is not empty.
  var rows: [String] {
    var rows = ((try? tmux("capture-pane", "-p")) ?? "").components(separatedBy: "\n").map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
    while rows.last?.isEmpty == true { rows.removeLast() }
    return rows
  }

  /// Waits until a row holds `part`.
  func shows(_ part: some StringProtocol) -> Bool { eventually { rows.contains { $0.contains(part) } } }

  /// Waits until the last rows are these; gives what they are then, where they are not.
  func ends(with last: String...) -> Bool { eventually { rows.suffix(last.count) == last } }
}
