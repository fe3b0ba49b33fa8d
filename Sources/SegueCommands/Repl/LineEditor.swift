import CEditline
import Platform
import SystemPackage

/// Reads lines from the terminal with libedit: its editing keys, `~/.editrc`, and a history that is kept in a file.
///
/// For the main thread.
@safe
final class LineEditor {
  /// What reading a line gave.
  enum Input: Equatable {
    /// A line, without its end.
    case line(String)
    /// Ctrl-C.
    case interrupted
    /// Ctrl-D, or the terminal went.
    case ended
  }

  private static let historySize: Int32 = 1_000

  private let editor: OpaquePointer
  private let history: OpaquePointer
  private let historyFile: FilePath
  private let tab: TabKey

  /// An editor on the terminal, with the history of `historyFile`, in which Tab does what `completing` says; `nil` where libedit
  /// cannot work there.
  init?(historyFile: FilePath, completing: any LineCompleting) {
    unsafe setlocale(LC_CTYPE, "")
    guard let history = unsafe history_init() else { return nil }
    guard let editor = unsafe segue_el_open("segue") else {
      unsafe history_end(history)
      return nil
    }
    unsafe (self.editor = editor)
    unsafe (self.history = history)
    self.historyFile = historyFile
    tab = TabKey(completing)
    unsafe segue_history_set_size(history, Self.historySize)
    unsafe segue_history_set_unique(history, 1)
    _ = unsafe historyFile.withPlatformString { unsafe segue_history_load(history, $0) }
    unsafe segue_el_set_prompt(editor)
    unsafe segue_el_set_editor(editor, "emacs")
    unsafe segue_el_set_signal(editor, 1)
    unsafe segue_el_set_history(editor, history)
    unsafe el_source(editor, nil)
    // Behind the user's settings: a change to the keys of vi would take it away.
    unsafe tab.bind(in: editor)
  }

  deinit {
    unsafe el_end(editor)
    unsafe history_end(history)
  }

  /// Shows the prompt and reads a line.
  func readLine() -> Input {
    // libedit takes the terminal behind the prompt. Until then Ctrl-D is an end of file, which nobody would read any more: who
    // sees the prompt may type.
    unsafe segue_el_prepare_terminal(editor)
    tab.begin()
    var count: Int32 = 0
    guard let text = unsafe el_gets(editor, &count) else {
      // A signal leaves -1 and EINTR; where the terminal itself went there is no more to read.
      return Errno(rawValue: lastErrorNumber()) == .interrupted && count < 0 ? .interrupted : .ended
    }
    let line = unsafe String(cString: text)
    return .line(line.last?.isNewline == true ? String(line.dropLast()) : line)
  }

  /// Adds `line` to the history, and writes it to the file.
  func remember(_ line: String) {
    // A history that cannot be kept is no reason to complain at each line.
    try? AtomicFile.makeDirectories(historyFile.removingLastComponent())
    unsafe segue_history_enter(history, line)
    _ = unsafe historyFile.withPlatformString { unsafe segue_history_save(history, $0) }
  }
}
