// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

/// An entry of a listing as one line for screen readers. `--plain` prints it instead of a table row.
///
/// The line begins with the name alone, after a number and a colon if commands accept that number. The fields follow,
/// always in the same order, each as `name: value`, or as words that need no name (`5 tracks`, `current`). They are
/// separated by `; `, which screen readers turn into a pause. Unknown values are omitted. Times are words (`3 minutes 5
/// seconds`), and so are marks (`current`, `missing`). Nothing is truncated or padded.
package struct PlainLine: Equatable {
  /// The text of the line, safe to print on a terminal.
  package private(set) var text: String

  /// Creates the line of an item called `name`. `number` is the item's number in commands, if it has one.
  package init(_ name: String, number: Int? = nil) {
    text = (number.map { "\($0): " } ?? "") + name.safeForTerminal
  }

  /// Returns the line with the field `value` appended, preceded by the field's name if `name` is given. Returns the
  /// line unchanged if the value is `nil` or empty.
  package func adding(_ value: String?, as name: String? = nil) -> PlainLine {
    guard let value, !value.isEmpty else { return self }
    var line = self
    line.text += "; " + (name.map { "\($0): " } ?? "") + value.safeForTerminal
    return line
  }

  /// Returns the line preceded by a word for the kind of item, such as "album".
  package func prefixed(with kind: String) -> PlainLine {
    var line = self
    line.text = "\(kind): \(text)"
    return line
  }

  /// Returns the line preceded by the item's number in commands.
  package func numbered(_ number: Int) -> PlainLine {
    var line = self
    line.text = "\(number): \(text)"
    return line
  }

  /// Returns the line with a duration appended in words.
  package func adding(time: Duration?) -> PlainLine { adding(time.map(TimeText.words), as: "time") }
}
