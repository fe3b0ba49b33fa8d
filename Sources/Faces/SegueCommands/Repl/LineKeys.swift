import CEditline

/// The keys that do in a line what libedit does not know of itself.
final class LineKeys {
  /// What a key does.
  enum Key {
    /// Tab completes the word at the cursor.
    case complete
    /// What follows was pasted: nothing of it is a key.
    case paste
    /// A slash in an empty line opens the search.
    case search
  }

  /// The key that completes.
  let tab: TabKey
  private let mayRedraw: Bool
  private var marksPasting = false

  /// Keys that complete as `completing` says, in this manner; only where the screen may be redrawn, the terminal is
  /// told to mark what is pasted.
  init(_ completing: any LineCompleting, _ manner: TerminalManner) {
    tab = TabKey(completing, manner)
    mayRedraw = manner.draws
  }

  /// What has the terminal mark what is pasted.
  var entering: String { marksPasting ? "\u{1B}[?2004h" : "" }
  /// What ends that.
  var leaving: String { marksPasting ? "\u{1B}[?2004l" : "" }

  /// A new line is begun.
  func begin() { tab.begin() }

  /// Binds them in `editor`, whose context is a ``LineEditor``.
  func bind(in editor: OpaquePointer) {
    unsafe segue_el_bind(editor, "^I", "segue-complete", "Complete the word at the cursor") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.complete) ?? UInt8(CC_ERROR)
    }
    unsafe segue_el_bind(editor, "/", "segue-search", "Search as you type, in an empty line") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.search) ?? UInt8(CC_ERROR)
    }
    // In vi's keys, Escape is a key of its own.
    let isEmacs = unsafe segue_el_is_emacs(editor) != 0
    marksPasting = mayRedraw && isEmacs
    guard marksPasting else { return }
    unsafe segue_el_bind(editor, "\\e[200~", "segue-paste", "Insert what is pasted") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.paste) ?? UInt8(CC_ERROR)
    }
  }
}
