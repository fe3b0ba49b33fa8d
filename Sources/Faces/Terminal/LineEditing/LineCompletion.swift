// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import UnicodeText

/// The result of completing a line at the cursor: text to insert, or candidates to choose from.
package struct LineCompletion: Equatable {
  /// The number of Unicode scalars to replace before the cursor.
  package var countBefore = 0
  /// The number of Unicode scalars to replace after the cursor: 1 if the closing quotation mark is already there,
  /// otherwise 0.
  var countAfter = 0
  /// The text to insert; `nil` if there is none, or if the candidates have no common continuation.
  package var insertion: String?
  /// The candidates, best first. They are not yet escaped for a terminal.
  package var choices: [String] = []

  /// Creates a completion. By default it inserts nothing and has no candidates.
  package init(countBefore: Int = 0, countAfter: Int = 0, insertion: String? = nil, choices: [String] = []) {
    self.countBefore = countBefore
    self.countAfter = countAfter
    self.insertion = insertion
    self.choices = choices
  }
}

/// An object that determines what the completion key does. Used on the main thread.
package protocol LineCompleting: AnyObject {
  /// Prepares for a new line.
  func begin()

  /// Returns the effect of pressing the completion key in `line`, with the cursor at `cursor`.
  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect
}

/// The state of the completion key. If a press has nothing to insert, a second press at the same cursor position lists
/// the candidates.
package struct CompletionKey {
  /// What a press of the completion key does.
  package enum Effect: Equatable {
    /// Replaces the text around the cursor. The counts are the Unicode scalars replaced before and after it.
    case insert(String, countBefore: Int, countAfter: Int)
    /// Lists these candidates below the line.
    case list([String])
    /// Beeps, and changes nothing.
    case refuse
  }

  private var last: (line: String, cursor: Int)?

  /// Creates the state before the first press.
  package init() {}

  /// Returns the effect of a press. `completion` is the result for `line` with the cursor at the offset `cursor`.
  package mutating func press(_ completion: LineCompletion, line: String, cursor: Int) -> Effect {
    let isSecond = last.map { $0 == (line, cursor) } ?? false
    last = nil
    if let text = completion.insertion {
      return .insert(text, countBefore: completion.countBefore, countAfter: completion.countAfter)
    }
    if completion.choices.count < 2 { return .refuse }
    if isSecond { return .list(completion.choices) }
    last = (line, cursor)
    return .refuse
  }
}

/// Arranges completion candidates in columns.
enum CompletionListing {
  private static let gap = 2

  /// Returns `names` as lines of columns that fit into `size`, ordered from top to bottom in each column. If not all
  /// names fit, the last line says how many are left out.
  static func lines(_ names: [String], in size: TerminalSize) -> [String] {
    // Leave room for the line being typed.
    let maxRows = max(1, size.rows - 3)
    let texts = names.map(\.safeForTerminal)
    let width = min(texts.map(\.cellWidth).max() ?? 0, size.columns)
    let columnCount = max(1, (size.columns + gap) / (width + gap))
    let rowCount = (texts.count + columnCount - 1) / columnCount
    let shown = rowCount > maxRows ? texts.prefix(maxRows * columnCount) : texts[...]
    let height = min(rowCount, maxRows)
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
