// SPDX-License-Identifier: GPL-3.0-or-later

/// The line of each key in a settings file. It is found by a search, since the parser only reports the lines of errors.
///
/// The search reads lines that begin with a key and `=`, and table headers, and skips multi-line strings. It does not
/// look into lists and inline tables: what is in those has the line of the key that they belong to.
struct KeyLines {
  /// The maximum depth of keys that is recorded: no setting is deeper, but a key may have thousands of parts.
  private static let depth = 3

  private var lines: [[String]: Int] = [:]

  /// Searches `text`.
  init(_ text: String) {
    var table: [String] = []
    var openMark: String?
    for (index, line) in Self.lines(of: text).enumerated() {
      if let mark = openMark {
        if line.contains(mark) { openMark = nil }
        continue
      }
      openMark = Self.openMark(in: line)
      let content = line.drop { $0.isWhitespace }
      if content.first == "[" {
        table = Self.path(content.drop { $0 == "[" })
        note(table, index + 1)
      } else if let path = Self.key(content) {
        note(table + path, index + 1)
      }
    }
  }

  /// Splits the text into lines as the parser does.
  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// The line of the key at `path`, or of the nearest enclosing table, counted from 1.
  subscript(path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Records the first line of a key and of its enclosing tables.
  private mutating func note(_ path: [String], _ line: Int) {
    var path = Array(path.prefix(Self.depth))
    while !path.isEmpty, lines[path] == nil {
      lines[path] = line
      path.removeLast()
    }
  }

  /// Returns the parts of the key at the start of `content`, if `=` follows it.
  private static func key(_ content: Substring) -> [String]? {
    guard let first = content.first, first != "#", first != "=" else { return nil }
    let path = path(content)
    return path.isEmpty ? nil : path
  }

  /// Returns the parts of the key at the start of `content`, up to `=` or `]`.
  private static func path(_ content: Substring) -> [String] {
    var parts: [String] = []
    var part = ""
    var quote: Character?
    for character in content {
      if let mark = quote {
        if character == mark { quote = nil } else { part.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "." {
        parts.append(part)
        part = ""
      } else if character == "=" || character == "]" {
        return parts + [part]
      } else if !character.isWhitespace {
        part.append(character)
      }
    }
    return []
  }

  /// Returns the end mark of a multi-line string that begins in `line`.
  private static func openMark(in line: Substring) -> String? {
    for mark in ["\"\"\"", "'''"] where line.ranges(of: mark).count % 2 == 1 { return mark }
    return nil
  }
}
