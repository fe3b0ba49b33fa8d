// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
package import Platform
package import SystemPackage

/// Reads lines from the terminal with libedit, including its key bindings, `~/.editrc`, and a history stored in a file.
/// Shows a prompt that is updated during playback, and messages above the line.
///
/// Used on the main thread.
@safe
package final class LineEditor {
  /// The result of reading a line.
  package enum Input: Equatable {
    /// The typed text without its final line break. Pasted text can contain several lines.
    case line(String)
    /// A signal, such as that of Ctrl-C, ended reading. `isEmpty` is whether nothing had been typed.
    case interrupted(isEmpty: Bool)
    /// The end of the input: Ctrl-D was typed, or the terminal was lost.
    case ended
  }

  /// The minimum time in milliseconds between updates of the elapsed time in the prompt.
  private static let promptInterval: UInt64 = 900

  private let editor: OpaquePointer
  private let history: LineHistory
  private let keys: LineKeys
  private let delegate: any LineEditorDelegate
  private let outputStyle: OutputStyle
  private var input = LineInput()
  private let promptText = PromptText()
  private var prompt: ReplPrompt
  private var nextPromptUpdate = MonotonicInstant.now
  /// The last layout for which ``joinRows()`` has written the blanks at the ends of rows.
  private var joinedLayout: LineLayout?
  /// Whether the line was empty when a signal ended reading; `nil` if no signal has.
  private var interruption: Bool?

  /// Creates an editor for the terminal, with the history in `historyFile` (`nil` for none) and completion by
  /// `completing`. Returns `nil` if libedit cannot use the terminal.
  package init?(
    historyFile: FilePath?, completing: any LineCompleting, delegate: any LineEditorDelegate,
    outputStyle: OutputStyle
  ) {
    // Input is UTF-8 regardless of the locale. The first read of `isUTF8` sets the locale of the environment, so it
    // must come before this.
    if !TerminalProperties.isUTF8 { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    guard let history = LineHistory(file: historyFile), let editor = unsafe segue_el_open("segue") else {
      return nil
    }
    unsafe (self.editor = editor)
    self.history = history
    self.delegate = delegate
    self.outputStyle = outputStyle
    prompt = delegate.prompt(columns: Self.columns)
    keys = LineKeys(completing, outputStyle)
    unsafe segue_el_set_context(editor, Unmanaged.passUnretained(self).toOpaque())
    unsafe segue_el_set_prompt(editor) { editor in
      unsafe LineEditor.of(editor).flatMap { unsafe $0.promptText.start }
    }
    unsafe segue_el_set_reader(editor) { editor, character in
      guard let editor = unsafe LineEditor.of(editor), let character = unsafe character else { return -1 }
      guard let scalar = editor.nextScalar() else { return editor.interruption == nil ? 0 : -1 }
      unsafe character.pointee = wchar_t(bitPattern: scalar.value)
      return 1
    }
    unsafe segue_el_set_editor(editor, "emacs")
    unsafe segue_el_set_signal(editor, 0)
    unsafe segue_el_set_history(editor, history.handle)
    unsafe segue_el_bind_known(editor, "^R", "em-inc-search-prev")
    unsafe el_source(editor, nil)
    // Bound after `~/.editrc` is read, since switching to vi key bindings there would remove these bindings.
    unsafe keys.bind(in: editor)
  }

  deinit { unsafe el_end(editor) }

  /// Shows the prompt and reads a line. Returns without a line after a signal or at the end of the input.
  package func readLine() -> Input {
    // libedit prepares the terminal only after it has shown the prompt. A Ctrl-D typed before that would be lost, so
    // prepare the terminal first.
    unsafe segue_el_prepare_terminal(editor, 1)
    unsafe el_resize(editor)
    keys.begin()
    interruption = nil
    show(delegate.prompt(columns: Self.columns))
    put(keys.pasteModeOn)
    defer {
      put(keys.pasteModeOff)
      segue_el_flush()
    }
    var count: Int32 = 0
    guard let text = unsafe el_gets(editor, &count) else {
      return interruption.map { .interrupted(isEmpty: $0) } ?? .ended
    }
    let line = unsafe String(cString: text)
    return .line(line.last?.isNewline == true ? String(line.dropLast()) : line)
  }

  /// Adds `line` to the history, and stores it in the history file.
  package func remember(_ line: String) { history.remember(line) }

  // MARK: Key bindings

  /// Returns the line editor to which a libedit handle belongs.
  static func of(_ editor: OpaquePointer?) -> LineEditor? {
    guard let editor = unsafe editor, let context = unsafe segue_el_context(editor) else { return nil }
    return unsafe Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
  }

  /// Performs the function of a key that is bound to this editor. Returns a `CC_` code of libedit.
  func press(_ key: LineKeys.Key) -> UInt8 {
    switch key {
    case .complete: return unsafe keys.tab.press(editor, rowsBelow: { rowsBelowCursor })
    case .paste:
      var pasted = PastedText()
      while !pasted.isOver, let scalar = nextScalar() { pasted.take(scalar) }
      let text = pasted.text
      return text.isEmpty ? UInt8(CC_REFRESH) : insert(text)
    case .search:
      guard outputStyle.draws, delegate.hasSearch, isEmpty else { return insert("/") }
      // The search needs the terminal in its normal mode, and leaves it in that mode when it is suspended.
      put(keys.pasteModeOff)
      segue_el_flush()
      unsafe segue_el_prepare_terminal(editor, 0)
      delegate.search()
      unsafe segue_el_prepare_terminal(editor, 1)
      put(keys.pasteModeOn)
      unsafe el_resize(editor)
      redraw(delegate.prompt(columns: Self.columns), below: delegate.takeMessages())
      return UInt8(CC_NORM)
    }
  }

  private func insert(_ text: String) -> UInt8 {
    // The insertion fails if the line is full.
    unsafe el_insertstr(editor, text) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
  }

  // MARK: Reading keys

  /// Waits for the next typed character and returns it. Returns `nil` at the end of the input, or if a signal ends
  /// reading.
  private func nextScalar() -> Unicode.Scalar? {
    while true {
      if let scalar = input.next() { return scalar }
      joinRows()
      switch delegate.events.next(orInputFrom: StandardStream.input.descriptor, limit: LineInput.readSize) {
      case .input(let bytes): input.take(bytes)
      case .inputEnded: return nil
      case .event(.changed): update()
      case .event(.signal(let signal)): handle(signal)
      case .interrupted:
        guard delegate.hasCaughtSignal else { continue }
        interruption = isEmpty
        moveBelowLine()
        segue_el_flush()
        return nil
      }
    }
  }

  /// Shows new messages, and the prompt if it has changed.
  private func update() {
    guard outputStyle.draws else { return }
    let messages = delegate.takeMessages()
    let newPrompt = delegate.prompt(columns: Self.columns)
    let isDue = newPrompt != prompt && (!newPrompt.follows(prompt) || MonotonicInstant.now >= nextPromptUpdate)
    if !messages.isEmpty || isDue { redraw(newPrompt, below: messages) }
  }

  private func handle(_ signal: ProcessSignal) {
    switch signal {
    case .windowChange:
      unsafe el_resize(editor)
      if outputStyle.draws { redraw(delegate.prompt(columns: Self.columns), isRewrapped: true) }
    case .suspend:
      moveBelowLine()
      put(keys.pasteModeOff)
      segue_el_flush()
      unsafe segue_el_prepare_terminal(editor, 0)
      ProcessSignal.stopProcess()
      unsafe segue_el_prepare_terminal(editor, 1)
      // The window may have been resized while the program was suspended, without a signal.
      unsafe el_resize(editor)
      put(keys.pasteModeOn)
      show(delegate.prompt(columns: Self.columns))
      unsafe segue_el_redraw(editor)
    case .resume:
      unsafe segue_el_prepare_terminal(editor, 1)
      if outputStyle.draws { redraw(prompt) }
    case .interrupt, .quit, .terminate, .hangUp: break
    }
  }

  // MARK: Drawing

  private static var columns: Int { StandardStream.output.terminalSize?.columns ?? 80 }

  /// Redraws the prompt and the line in place, below `messages`.
  ///
  /// - Parameter isRewrapped: Whether the terminal has rewrapped the rows after a resize. If the last row is full, the
  ///   cursor is then still in that row.
  private func redraw(_ newPrompt: ReplPrompt, below messages: [String] = [], isRewrapped: Bool = false) {
    let cursor = layout(includingAfterCursor: false)
    let isRowFull = isRewrapped && cursor.column == 0 && cursor.row > 0 && cursor == layout(includingAfterCursor: true)
    let row = cursor.row - (isRowFull ? 1 : 0)
    put("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
    for message in messages { put(message + "\r\n") }
    show(newPrompt)
    unsafe segue_el_redraw(editor)
  }

  private func show(_ newPrompt: ReplPrompt) {
    prompt = newPrompt
    joinedLayout = nil
    promptText.set(newPrompt.text)
    nextPromptUpdate = MonotonicInstant.now.advanced(byMilliseconds: Self.promptInterval)
  }

  /// Writes the blanks at the ends of full rows, which libedit omits. Without them, the terminal treats each row as a
  /// line of its own; with them, it rewraps the rows on a resize as ``layout(includingAfterCursor:)`` expects.
  private func joinRows() {
    guard outputStyle.draws, let size = StandardStream.output.terminalSize else { return }
    let fullLayout = layout(includingAfterCursor: true)
    // Rows that have scrolled off the screen cannot be written.
    guard fullLayout != joinedLayout, fullLayout.columns == size.columns, fullLayout.row < size.rows else { return }
    joinedLayout = fullLayout
    let blankEnds = fullLayout.rowEnds.filter(\.isBlank)
    guard !blankEnds.isEmpty else { return }
    let cursor = layout(includingAfterCursor: false).row
    for end in blankEnds {
      guard let next = end.next else { continue }
      let distance = end.row - cursor
      let rows = distance == 0 ? "" : "\u{1B}[\(distance.magnitude)\(distance < 0 ? "A" : "B")"
      let columns = fullLayout.columns > 1 ? "\u{1B}[\(fullLayout.columns - 1)C" : ""
      put("\u{1B}7\(rows)\r\(columns) \(next)\u{1B}8")
    }
    segue_el_flush()
  }

  private func moveBelowLine() { put(String(repeating: "\r\n", count: rowsBelowCursor)) }

  private var rowsBelowCursor: Int {
    max(0, layout(includingAfterCursor: true).row - layout(includingAfterCursor: false).row)
  }

  /// Returns the layout of the prompt and the line, up to the cursor or, if `isWhole`, up to the end of the line.
  private func layout(includingAfterCursor isWhole: Bool) -> LineLayout {
    var layout = LineLayout(columns: Self.columns)
    layout.append(prompt.text.unicodeScalars)
    guard let info = unsafe el_wline(editor)?.pointee, let start = unsafe info.buffer,
      let end = unsafe isWhole ? info.lastchar : info.cursor
    else { return layout }
    let characters = unsafe UnsafeBufferPointer(start: start, count: max(0, end - start))
    unsafe layout.append(characters.map { Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}" })
    return layout
  }

  private var isEmpty: Bool {
    guard let info = unsafe el_wline(editor)?.pointee else { return true }
    return unsafe info.buffer == info.lastchar
  }

  private func put(_ text: String) { unsafe segue_el_put(text) }
}

/// The source of the prompt, the messages and the events that a line editor handles. Used on the main thread.
package protocol LineEditorDelegate: AnyObject {
  /// The events that wake the editor while it waits for keys.
  var events: EventQueue<LineEvent> { get }
  /// Whether a signal has arrived that ends reading the line.
  var hasCaughtSignal: Bool { get }
  /// Whether a slash in an empty line opens the search.
  var hasSearch: Bool { get }

  /// Returns the current prompt for a terminal that is `columns` cells wide.
  func prompt(columns: Int) -> ReplPrompt

  /// Returns the messages that are new since the last call, one line each, safe to print on a terminal.
  func takeMessages() -> [String]

  /// Opens the search. Called when its key is pressed in an empty line.
  func search()
}

/// An event that arrives while a line is being typed.
package enum LineEvent: Sendable {
  /// The prompt may have changed, or there are new messages.
  case changed
  /// The process should suspend or has been resumed, or the window was resized.
  case signal(ProcessSignal)
}
