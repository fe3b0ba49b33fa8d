// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import UnicodeText

/// The completion of a line at the cursor.
package struct LineCompletion: Equatable {
  /// The number of Unicode scalars to replace before the cursor.
  var countBefore = 0
  /// The number to replace after it: one, if the closing quotation mark is there already.
  var countBehind = 0
  /// The text to insert; `nil` if it is ambiguous.
  package var insertion: String?
  /// The candidates, best first. Not yet safe for a terminal.
  var choices: [String] = []

  /// Creates a completion; by default there is nothing to insert or choose.
  package init(countBefore: Int = 0, countBehind: Int = 0, insertion: String? = nil, choices: [String] = []) {
    self.countBefore = countBefore
    self.countBehind = countBehind
    self.insertion = insertion
    self.choices = choices
  }
}

/// Decides what the completion key does. For the main thread.
package protocol LineCompleting: AnyObject {
  /// Begins a new line.
  func begin()

  /// Handles a press of the key in `line`, with the cursor at `cursor`.
  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect
}

/// The completion key: if nothing could be inserted, a second press lists the candidates.
package struct CompletionKey {
  /// The effect of a press.
  package enum Effect: Equatable {
    /// Replaces the text around the cursor.
    case insert(String, countBefore: Int, countBehind: Int)
    /// Lists these names.
    case list([String])
    /// Only beeps.
    case refuse
  }

  private var last: (line: String, place: Int)?

  /// Creates the key before any press.
  package init() {}

  /// Returns the effect of a press with `completion` found for `line` with the cursor at `place`.
  package mutating func press(_ completion: LineCompletion, line: String, place: Int) -> Effect {
    let isSecond = last.map { $0 == (line, place) } ?? false
    last = nil
    if let text = completion.insertion {
      return .insert(text, countBefore: completion.countBefore, countBehind: completion.countBehind)
    }
    if completion.choices.count < 2 { return .refuse }
    if isSecond { return .list(completion.choices) }
    last = (line, place)
    return .refuse
  }
}

/// Candidates in columns.
enum CompletionListing {
  private static let gap = 2

  /// Returns lines for `names`, in columns from top to bottom, that fit into `size`; the last one counts those left
  /// out.
  static func lines(_ names: [String], in size: TerminalSize) -> [String] {
    // Leave room for the line being typed.
    let room = max(1, size.rows - 3)
    let texts = names.map(\.safeForTerminal)
    let width = min(texts.map(\.cellWidth).max() ?? 0, size.columns)
    let columnCount = max(1, (size.columns + gap) / (width + gap))
    let rowCount = (texts.count + columnCount - 1) / columnCount
    let shown = rowCount > room ? texts.prefix(room * columnCount) : texts[...]
    let height = min(rowCount, room)
    var lines = (0..<height).map { row in
      let cells = stride(from: row, to: shown.count, by: height).map { shown[$0] }
      var line = cells.map { $0.padded(toCells: width) }.joined(separator: String(repeating: " ", count: gap))
      while line.last == " " { line.removeLast() }
      return line
    }
    if shown.count < texts.count { lines.append("… and \(texts.count - shown.count) more") }
    return lines
  }
}
