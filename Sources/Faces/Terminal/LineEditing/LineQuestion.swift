// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// Asks the user at the terminal for a line, with line editing and completion, before a view or a REPL is shown. Used
/// on the main thread.
package final class LineQuestion {
  private let delegate: Delegate
  private let editor: LineEditor

  /// Creates the question, whose answers are completed by `completing`. Returns `nil` if libedit cannot use the
  /// terminal.
  package init?(completing: any LineCompleting, signals: ReplSignals, outputStyle: OutputStyle) {
    delegate = Delegate(signals)
    guard
      let editor = LineEditor(
        historyFile: nil, completing: completing, delegate: delegate, outputStyle: outputStyle)
    else { return nil }
    self.editor = editor
  }

  /// Shows a short question, and returns the answer; `nil` if the user gives none, by Ctrl-D or by a signal.
  package func ask(_ question: String) -> String? {
    delegate.question = ReplPrompt(question: question)
    let input = delegate.signals.reading { editor.readLine() }
    if case .line(let text) = input { return text }
    try? StandardStream.output.write("\n")
    return nil
  }

  private final class Delegate: LineEditorDelegate {
    let signals: ReplSignals
    var question = ReplPrompt(question: "")

    init(_ signals: ReplSignals) { self.signals = signals }

    var events: EventQueue<LineEvent> { signals.events }
    var hasCaughtSignal: Bool { signals.caughtSignal != nil }
    var hasSearch: Bool { false }

    func prompt(columns: Int) -> ReplPrompt { question }
    func takeMessages() -> [String] { [] }
    func search() {}
  }
}
