// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

/// An entry of a listing as one line for screen readers: what `--plain` prints instead of a table row.
///
/// The line begins with the name alone, after a number and a colon if commands accept that number. The fields follow,
/// always in the same order, each as `name: value`, or as words that need no name (`5 tracks`, `current`). They are
/// separated by `; `, which is read as a pause. Unknown values are omitted. Times are words (`3 minutes 5 seconds`),
/// and so are marks (`current`, `gone`). Nothing is truncated or padded.
package struct PlainLine: Equatable {
  /// The line, safe for a terminal.
  package private(set) var text: String

  /// Creates the line of the item `name`; `number` is the number that commands accept.
  package init(_ name: String, number: Int? = nil) {
    text = (number.map { "\($0): " } ?? "") + name.safeForTerminal
  }

  /// Returns the line with `value` appended, with its field name if that is given; unchanged for an empty value.
  package func adding(_ value: String?, as name: String? = nil) -> PlainLine {
    guard let value, !value.isEmpty else { return self }
    var line = self
    line.text += "; " + (name.map { "\($0): " } ?? "") + value.safeForTerminal
    return line
  }

  /// Returns the line with its kind in front.
  package func behind(_ sort: String) -> PlainLine {
    var line = self
    line.text = "\(sort): \(text)"
    return line
  }

  /// Returns the line with a number in front that commands accept.
  package func numbered(_ number: Int) -> PlainLine {
    var line = self
    line.text = "\(number): \(text)"
    return line
  }

  /// Returns the line with a duration appended.
  package func adding(time: Duration?) -> PlainLine { adding(time.map(TimeText.words), as: "time") }
}
