// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
import Platform
import UnicodeText

/// The keys bound by Segue to functions that libedit lacks: completion, pasting and search.
final class LineKeys {
  /// A key with a function of its own.
  enum Key {
    /// Tab: completes the word at the cursor.
    case complete
    /// The start of a bracketed paste. The characters that follow are not treated as keys.
    case paste
    /// A slash in an empty line, which opens the search.
    case search
  }

  /// The handler of the Tab key.
  let tab: TabKey
  private let mayRedraw: Bool
  private var usesBracketedPaste = false

  /// Creates the keys, with completion by `completing`. Bracketed paste is used only if `outputStyle` permits
  /// redrawing.
  init(_ completing: any LineCompleting, _ outputStyle: OutputStyle) {
    tab = TabKey(completing, outputStyle)
    mayRedraw = outputStyle.draws
  }

  /// The sequence that turns bracketed paste on, so that the terminal marks pasted text; empty if it is not used.
  var pasteModeOn: String { usesBracketedPaste ? "\u{1B}[?2004h" : "" }
  /// The sequence that turns bracketed paste off again; empty if it is not used.
  var pasteModeOff: String { usesBracketedPaste ? "\u{1B}[?2004l" : "" }

  /// Prepares for a new line.
  func begin() { tab.begin() }

  /// Binds the keys in `editor`, a handle that belongs to a ``LineEditor``.
  func bind(in editor: OpaquePointer) {
    unsafe segue_el_bind(editor, "^I", "segue-complete", "Complete the word at the cursor") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.complete) ?? UInt8(CC_ERROR)
    }
    unsafe segue_el_bind(editor, "/", "segue-search", "Search as you type (in an empty line)") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.search) ?? UInt8(CC_ERROR)
    }
    // With vi key bindings, Escape is a command of its own, so the paste sequence cannot be bound.
    let isEmacs = unsafe segue_el_is_emacs(editor) != 0
    usesBracketedPaste = mayRedraw && isEmacs
    guard usesBracketedPaste else { return }
    unsafe segue_el_bind(editor, "\\e[200~", "segue-paste", "Insert pasted text") { editor, _ in
      unsafe LineEditor.of(editor)?.press(.paste) ?? UInt8(CC_ERROR)
    }
  }
}

/// The handler of the Tab key in a line that libedit edits. Used on the main thread.
final class TabKey {
  private let completing: any LineCompleting
  private let outputStyle: OutputStyle

  /// Creates the handler. Text is completed by `completing`, and candidates are listed in the style `outputStyle`.
  init(_ completing: any LineCompleting, _ outputStyle: OutputStyle) {
    self.completing = completing
    self.outputStyle = outputStyle
  }

  /// Prepares for a new line.
  func begin() { completing.begin() }

  /// Completes the line of `editor`. Returns a `CC_` code of libedit.
  ///
  /// - Parameter rowsBelow: Returns the number of rows that the line occupies below the cursor.
  func press(_ editor: OpaquePointer, rowsBelow: () -> Int) -> UInt8 {
    guard let (before, after) = unsafe Self.line(editor) else { return UInt8(CC_ERROR) }
    let line = before + after
    let cursor =
      line.utf8.index(line.startIndex, offsetBy: before.utf8.count, limitedBy: line.endIndex) ?? line.endIndex
    switch completing.press(line, cursor: cursor) {
    case .insert(let text, let countBefore, let countAfter):
      let old = String(before.unicodeScalars.suffix(countBefore))
      return unsafe Self.replace(old, countAfter, by: text, editor) ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    case .list(let names):
      unsafe list(names, rowsBelow: rowsBelow(), editor)
      return UInt8(CC_NORM)
    case .refuse: return UInt8(CC_ERROR)
    }
  }

  /// Returns the text before the cursor and the text after it; `nil` if libedit has no line.
  private static func line(_ editor: OpaquePointer) -> (before: String, after: String)? {
    guard let info = unsafe el_line(editor)?.pointee, let start = unsafe info.buffer,
      let cursor = unsafe info.cursor, let end = unsafe info.lastchar
    else { return nil }
    func text(_ start: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>) -> String {
      let bytes = unsafe UnsafeBufferPointer(start: start, count: max(0, end - start))
      return unsafe String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return unsafe (text(start, cursor), text(cursor, end))
  }

  /// Replaces `old`, which ends at the cursor, and `countAfter` characters after the cursor with `text`. Returns
  /// whether that succeeded.
  private static func replace(
    _ old: String, _ countAfter: Int, by text: String, _ editor: OpaquePointer
  ) -> Bool {
    unsafe el_cursor(editor, Int32(clamping: countAfter))
    unsafe el_deletestr(editor, Int32(clamping: old.unicodeScalars.count + countAfter))
    if unsafe el_insertstr(editor, text) == 0 { return true }
    // `text` contains characters that the locale lacks, or the line is full: restore `old`.
    unsafe el_insertstr(editor, old)
    return false
  }

  /// Prints `names` below the line, and then the line again below them.
  private func list(_ names: [String], rowsBelow: Int, _ editor: OpaquePointer) {
    let size = StandardStream.output.terminalSize ?? TerminalSize(columns: 80, rows: 24)
    var text = String(repeating: "\r\n", count: rowsBelow + 1)
    for line in CompletionListing.lines(names, in: size) { text += outputStyle.withSupportedSymbols(line) + "\r\n" }
    try? StandardStream.output.write(text)
    unsafe segue_el_redraw(editor)
  }
}
