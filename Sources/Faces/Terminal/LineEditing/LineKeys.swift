import CEditline
import Platform
import UnicodeText

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
  init(_ completing: any LineCompleting, _ manner: OutputStyle) {
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

/// The key Tab in a line that libedit edits. For the main thread.
final class TabKey {
  private let completing: any LineCompleting
  private let manner: OutputStyle

  /// A key that does what `completing` says, and lists names in this manner.
  init(_ completing: any LineCompleting, _ manner: OutputStyle) {
    self.completing = completing
    self.manner = manner
  }

  /// A new line is begun.
  func begin() { completing.begin() }

  /// The key was pressed in the line of `editor`, of which `rowsBelow` gives how many rows stand below the cursor;
  /// gives a CC_ code.
  func press(_ editor: OpaquePointer, rowsBelow: () -> Int) -> UInt8 {
    guard let (before, behind) = unsafe Self.line(editor) else { return UInt8(CC_ERROR) }
    let line = before + behind
    let cursor =
      line.utf8.index(line.startIndex, offsetBy: before.utf8.count, limitedBy: line.endIndex) ?? line.endIndex
    switch completing.press(line, cursor: cursor) {
    case .insert(let text, let countBefore, let countBehind):
      let old = String(before.unicodeScalars.suffix(countBefore))
      return unsafe Self.replace(old, countBehind, by: text, editor) ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    case .list(let names):
      unsafe list(names, rowsBelow: rowsBelow(), editor)
      return UInt8(CC_NORM)
    case .refuse: return UInt8(CC_ERROR)
    }
  }

  /// What stands before the cursor, and behind it.
  private static func line(_ editor: OpaquePointer) -> (before: String, behind: String)? {
    guard let info = unsafe el_line(editor)?.pointee, let start = unsafe info.buffer,
      let cursor = unsafe info.cursor, let end = unsafe info.lastchar
    else { return nil }
    func text(_ start: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>) -> String {
      let bytes = unsafe UnsafeBufferPointer(start: start, count: max(0, end - start))
      return unsafe String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return unsafe (text(start, cursor), text(cursor, end))
  }

  /// Puts `text` in the place of `old`, which stands before the cursor, and of `countBehind` characters behind it.
  private static func replace(
    _ old: String, _ countBehind: Int, by text: String, _ editor: OpaquePointer
  ) -> Bool {
    unsafe el_cursor(editor, Int32(clamping: countBehind))
    unsafe el_deletestr(editor, Int32(clamping: old.unicodeScalars.count + countBehind))
    if unsafe el_insertstr(editor, text) == 0 { return true }
    // The locale has no such letters, or the line has no more room.
    unsafe el_insertstr(editor, old)
    return false
  }

  /// Prints `names` below the line, and the line anew below them.
  private func list(_ names: [String], rowsBelow: Int, _ editor: OpaquePointer) {
    let size = StandardStream.output.terminalSize ?? TerminalSize(columns: 80, rows: 24)
    var text = String(repeating: "\r\n", count: rowsBelow + 1)
    for line in CompletionListing.lines(names, in: size) { text += manner.signed(line) + "\r\n" }
    try? StandardStream.output.write(text)
    unsafe segue_el_redraw(editor)
  }
}
