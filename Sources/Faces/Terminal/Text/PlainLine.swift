import UnicodeText

/// An entry of a listing as one line that is read aloud well: what `--plain` writes in the place of a row of a table.
///
/// The rule: first what it is called, bare; a number that commands take stands ahead of that, with a colon. Then follow
/// its fields, always in the same order, each as `name: value`, or as words that need no name (`5 tracks`, `current`);
/// `; ` stands between them, which is a pause. What is not known is left out. Times are words (`3 minutes 5 seconds`),
/// and so are marks (`current`, `gone`). Nothing is cut or padded.
package struct PlainLine: Equatable {
  /// The line, safe for a terminal.
  package private(set) var text: String

  /// The line of what is called `name`; `number` is what commands know it by.
  package init(_ name: String, number: Int? = nil) {
    text = (number.map { "\($0): " } ?? "") + name.safeForTerminal
  }

  /// This line with `value` behind it, under a name where that is given; without it where there is none.
  package func adding(_ value: String?, as name: String? = nil) -> PlainLine {
    guard let value, !value.isEmpty else { return self }
    var line = self
    line.text += "; " + (name.map { "\($0): " } ?? "") + value.safeForTerminal
    return line
  }

  /// This line with what sort of thing it is ahead of it.
  package func behind(_ sort: String) -> PlainLine {
    var line = self
    line.text = "\(sort): \(text)"
    return line
  }

  /// This line with a number that commands take ahead of it.
  package func numbered(_ number: Int) -> PlainLine {
    var line = self
    line.text = "\(number): \(text)"
    return line
  }

  /// This line with a length of time behind it.
  package func adding(time: Duration?) -> PlainLine { adding(time.map(TimeText.words), as: "time") }
}
