// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
import Platform
import UnicodeText

/// The keys whose functions libedit does not have.
final class LineKeys {
  /// A function of a key.
  enum Key {
    /// Tab: completes the word at the cursor.
    case complete
    /// The start of pasted text, in which nothing is a key.
    case paste
    /// A slash in an empty line: opens the search.
    case search
  }

  /// The completion key.
  let tab: TabKey
  private let mayRedraw: Bool
  private var marksPasting = false

  /// Creates keys with completion by `completing`, in this output style. The terminal is asked to mark pasted text only
  /// if the screen may be redrawn.
  init(_ completing: any LineCompleting, _ manner: OutputStyle) {
    tab = TabKey(completing, manner)
    mayRedraw = manner.draws
  }

  /// The sequence that makes the terminal mark pasted text.
  var entering: String { marksPasting ? "\u{1B}[?2004h" : "" }
  /// The sequence that ends that.
  var leaving: String { marksPasting ? "\u{1B}[?2004l" : "" }

  /// Begins a new line.
  func begin() { tab.begin() }

  /// Binds the keys in `editor`, whose context is a ``LineEditor``.
  func bind(in editor: OpaquePointer) {
    unsafe segue_el_bind(editor, "^I", "segue-complete", "Complete the word at the cursor") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.complete) ?? UInt8(CC_ERROR)
    }
    unsafe segue_el_bind(editor, "/", "segue-search", "Search as you type (in an empty line)") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.search) ?? UInt8(CC_ERROR)
    }
    // With vi key bindings, Escape is a key itself.
    let isEmacs = unsafe segue_el_is_emacs(editor) != 0
    marksPasting = mayRedraw && isEmacs
    guard marksPasting else { return }
    unsafe segue_el_bind(editor, "\\e[200~", "segue-paste", "Insert pasted text") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.paste) ?? UInt8(CC_ERROR)
    }
  }
}

/// The Tab key in a line edited by libedit. For the main thread.
final class TabKey {
  private let completing: any LineCompleting
  private let manner: OutputStyle

  /// Creates the key with completion by `completing`; names are listed in this output style.
  init(_ completing: any LineCompleting, _ manner: OutputStyle) {
    self.completing = completing
    self.manner = manner
  }

  /// Begins a new line.
  func begin() { completing.begin() }

  /// Handles a press in the line of `editor`; returns a `CC_` code.
  ///
  /// - Parameter rowsBelow: Returns the number of rows of the line below the cursor.
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

  /// Returns the text before the cursor, and after it.
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

  /// Replaces `old`, which is before the cursor, and `countBehind` characters after the cursor by `text`.
  private static func replace(
    _ old: String, _ countBehind: Int, by text: String, _ editor: OpaquePointer
  ) -> Bool {
    unsafe el_cursor(editor, Int32(clamping: countBehind))
    unsafe el_deletestr(editor, Int32(clamping: old.unicodeScalars.count + countBehind))
    if unsafe el_insertstr(editor, text) == 0 { return true }
    // The locale lacks the characters, or the line is full.
    unsafe el_insertstr(editor, old)
    return false
  }

  /// Prints `names` below the line, and the line again below them.
  private func list(_ names: [String], rowsBelow: Int, _ editor: OpaquePointer) {
    let size = StandardStream.output.terminalSize ?? TerminalSize(columns: 80, rows: 24)
    var text = String(repeating: "\r\n", count: rowsBelow + 1)
    for line in CompletionListing.lines(names, in: size) { text += manner.signed(line) + "\r\n" }
    try? StandardStream.output.write(text)
    unsafe segue_el_redraw(editor)
  }
}
