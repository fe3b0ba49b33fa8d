import CEditline
package import Platform
package import SystemPackage

/// Reads lines from the terminal with libedit: its editing keys, `~/.editrc`, and a history that is kept in a file.
/// Around the line it shows a prompt that follows what plays, and messages above it.
///
/// For the main thread.
@safe
package final class LineEditor {
  /// What reading a line gave.
  package enum Input: Equatable {
    /// What was typed, without its end; several lines where they were pasted.
    case line(String)
    /// A signal, such as Ctrl-C, and whether the line was empty.
    case interrupted(isEmpty: Bool)
    /// Ctrl-D, or the terminal went.
    case ended
  }

  /// How long a prompt stands at least before the time in it moves on, in milliseconds.
  private static let pace: UInt64 = 900

  private let editor: OpaquePointer
  private let history: LineHistory
  private let keys: LineKeys
  private let surroundings: any LineEditorDelegate
  private let manner: OutputStyle
  private var input = LineInput()
  private let promptText = PromptText()
  private var prompt: ReplPrompt
  private var nextTick = MonotonicInstant.now
  /// What was joined last.
  private var joined: LineLayout?
  /// Set where reading was ended by a signal, to whether the line was empty.
  private var interruption: Bool?

  /// An editor on the terminal, with the history of `historyFile`, in which Tab does what `completing` says; `nil`
  /// where libedit cannot work there.
  package init?(
    historyFile: FilePath, completing: any LineCompleting, surroundings: any LineEditorDelegate,
    manner: OutputStyle
  ) {
    // What is typed is UTF-8, whatever the system believes; to ask what that is would undo it, so it was asked for
    // before.
    if !TerminalFacts.isUTF8 { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    guard let history = LineHistory(file: historyFile), let editor = unsafe segue_el_open("segue") else {
      return nil
    }
    unsafe (self.editor = editor)
    self.history = history
    self.surroundings = surroundings
    self.manner = manner
    prompt = surroundings.prompt(columns: Self.columns)
    keys = LineKeys(completing, manner)
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
    // Behind the user's settings: a change to the keys of vi would take them away.
    unsafe keys.bind(in: editor)
  }

  deinit { unsafe el_end(editor) }

  /// Shows the prompt and reads a line.
  package func readLine() -> Input {
    // libedit takes the terminal behind the prompt. Until then Ctrl-D is an end of file, which nobody would read any
    // more: who sees the prompt may type.
    unsafe segue_el_prepare_terminal(editor, 1)
    unsafe el_resize(editor)
    keys.begin()
    interruption = nil
    show(surroundings.prompt(columns: Self.columns))
    put(keys.entering)
    defer {
      put(keys.leaving)
      segue_el_flush()
    }
    var count: Int32 = 0
    guard let text = unsafe el_gets(editor, &count) else {
      return interruption.map { .interrupted(isEmpty: $0) } ?? .ended
    }
    let line = unsafe String(cString: text)
    return .line(line.last?.isNewline == true ? String(line.dropLast()) : line)
  }

  /// Adds `line` to the history, and writes it to the file.
  package func remember(_ line: String) { history.remember(line) }

  // MARK: For the keys

  /// The editor of this handle.
  static func of(_ editor: OpaquePointer?) -> LineEditor? {
    guard let editor = unsafe editor, let context = unsafe segue_el_context(editor) else { return nil }
    return unsafe Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
  }

  /// What was bound to a key.
  func press(_ key: LineKeys.Key) -> UInt8 {
    switch key {
    case .complete: return unsafe keys.tab.press(editor, rowsBelow: { rowsBelowCursor })
    case .paste:
      var pasted = PastedText()
      while !pasted.isOver, let scalar = nextScalar() { pasted.take(scalar) }
      let text = pasted.text
      return text.isEmpty ? UInt8(CC_REFRESH) : insert(text)
    case .search:
      guard manner.draws, isEmpty else { return insert("/") }
      // The search takes the terminal as a command would find it, and so gives it back where it is stopped.
      put(keys.leaving)
      segue_el_flush()
      unsafe segue_el_prepare_terminal(editor, 0)
      surroundings.search()
      unsafe segue_el_prepare_terminal(editor, 1)
      put(keys.entering)
      unsafe el_resize(editor)
      redraw(surroundings.prompt(columns: Self.columns), below: surroundings.takeMessages())
      return UInt8(CC_NORM)
    }
  }

  private func insert(_ text: String) -> UInt8 {
    // The line may have no more room.
    unsafe el_insertstr(editor, text) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
  }

  // MARK: While a line is typed

  /// The next character, once there is one; `nil` behind the last, and where a signal ends reading.
  private func nextScalar() -> Unicode.Scalar? {
    while true {
      if let scalar = input.next() { return scalar }
      joinRows()
      switch surroundings.events.next(orInputFrom: StandardStream.input.descriptor, limit: LineInput.piece) {
      case .input(let bytes): input.take(bytes)
      case .inputEnded: return nil
      case .event(.changed): update()
      case .event(.signal(let signal)): answer(signal)
      case .interrupted:
        guard surroundings.hasCaughtSignal else { continue }
        interruption = isEmpty
        moveBehindLine()
        segue_el_flush()
        return nil
      }
    }
  }

  /// Shows what has changed, if anything that is seen has.
  private func update() {
    guard manner.draws else { return }
    let messages = surroundings.takeMessages()
    let new = surroundings.prompt(columns: Self.columns)
    let isDue = new != prompt && (!new.follows(prompt) || MonotonicInstant.now >= nextTick)
    if !messages.isEmpty || isDue { redraw(new, below: messages) }
  }

  private func answer(_ signal: ProcessSignal) {
    switch signal {
    case .windowChange:
      unsafe el_resize(editor)
      if manner.draws { redraw(surroundings.prompt(columns: Self.columns), isBroken: true) }
    case .suspend:
      moveBehindLine()
      put(keys.leaving)
      segue_el_flush()
      unsafe segue_el_prepare_terminal(editor, 0)
      ProcessSignal.stopProcess()
      unsafe segue_el_prepare_terminal(editor, 1)
      // The window may have changed while nobody was told.
      unsafe el_resize(editor)
      put(keys.entering)
      show(surroundings.prompt(columns: Self.columns))
      unsafe segue_el_redraw(editor)
    case .resume:
      unsafe segue_el_prepare_terminal(editor, 1)
      if manner.draws { redraw(prompt) }
    case .interrupt, .quit, .terminate, .hangUp: break
    }
  }

  // MARK: Drawing

  private static var columns: Int { StandardStream.output.terminalSize?.columns ?? 80 }

  /// Draws prompt and line anew, where they are, below `messages`. Where the terminal has broken them anew, the cursor
  /// behind a full last row is still in that.
  private func redraw(_ new: ReplPrompt, below messages: [String] = [], isBroken: Bool = false) {
    let place = layout(behind: false)
    let isBehindFull = isBroken && place.column == 0 && place.row > 0 && place == layout(behind: true)
    let row = place.row - (isBehindFull ? 1 : 0)
    put("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
    for message in messages { put(message + "\r\n") }
    show(new)
    unsafe segue_el_redraw(editor)
  }

  private func show(_ new: ReplPrompt) {
    prompt = new
    joined = nil
    promptText.set(new.text)
    nextTick = MonotonicInstant.now.advanced(byMilliseconds: Self.pace)
  }

  /// Writes the blanks at the ends of rows, which libedit leaves out, so that the terminal knows the rows as parts of
  /// one line: in a window of another size it breaks them anew, and so does ``layout(behind:)``.
  private func joinRows() {
    guard manner.draws, let size = StandardStream.output.terminalSize else { return }
    let whole = layout(behind: true)
    // Nothing is known of rows that have left the screen.
    guard whole != joined, whole.columns == size.columns, whole.row < size.rows else { return }
    joined = whole
    let ends = whole.rowEnds.filter(\.isBlank)
    guard !ends.isEmpty else { return }
    let cursor = layout(behind: false).row
    for end in ends {
      guard let next = end.next else { continue }
      let way = end.row - cursor
      let rows = way == 0 ? "" : "\u{1B}[\(way.magnitude)\(way < 0 ? "A" : "B")"
      let columns = whole.columns > 1 ? "\u{1B}[\(whole.columns - 1)C" : ""
      put("\u{1B}7\(rows)\r\(columns) \(next)\u{1B}8")
    }
    segue_el_flush()
  }

  private func moveBehindLine() { put(String(repeating: "\r\n", count: rowsBelowCursor)) }

  private var rowsBelowCursor: Int { max(0, layout(behind: true).row - layout(behind: false).row) }

  /// Where the cursor stands, or the end of the line.
  private func layout(behind isBehind: Bool) -> LineLayout {
    var layout = LineLayout(columns: Self.columns)
    layout.append(prompt.text.unicodeScalars)
    guard let info = unsafe el_wline(editor)?.pointee, let start = unsafe info.buffer,
      let end = unsafe isBehind ? info.lastchar : info.cursor
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

/// What stands around a line that is being typed, and what happens meanwhile. For the main thread.
package protocol LineEditorDelegate: AnyObject {
  /// What wakes who waits for keys.
  var events: EventQueue<LineEvent> { get }
  /// Whether a signal has come for which the line is to be left.
  var hasCaughtSignal: Bool { get }

  /// The prompt, on a terminal with so many columns.
  func prompt(columns: Int) -> ReplPrompt

  /// What is to be told, a line each, safe for a terminal; from now on it counts as told.
  func takeMessages() -> [String]

  /// The key for it was pressed in an empty line.
  func search()
}

/// What happens while a line is being typed.
package enum LineEvent: Sendable {
  /// The prompt may be another, or there are messages.
  case changed
  /// The program is to stop, goes on, or has another window.
  case signal(ProcessSignal)
}
