// SPDX-License-Identifier: GPL-3.0-or-later

/// The line number of each key in a settings file. The TOML parser reports lines only for errors, so they are found by
/// a search of the text.
///
/// The search considers table headers and lines that begin with a key and `=`, and skips multi-line strings. It does
/// not look into lists and inline tables; their contents have the line of the key to which they belong.
struct KeyLines {
  /// The maximum number of parts of a key that are recorded. No setting has more, but a key in the file can have
  /// thousands.
  private static let depth = 3

  private var lines: [[String]: Int] = [:]

  /// Finds the keys in the text of a settings file.
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

  /// Splits the text into lines in the same way as the parser.
  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// The line of the key at `path`, or otherwise of the innermost enclosing table that was found, counted from 1.
  subscript(path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Records `line` for a key and for its enclosing tables, unless they have a line already.
  private mutating func note(_ path: [String], _ line: Int) {
    var path = Array(path.prefix(Self.depth))
    while !path.isEmpty, lines[path] == nil {
      lines[path] = line
      path.removeLast()
    }
  }

  /// Returns the parts of the key that begins a line, if `=` follows it; otherwise none.
  private static func key(_ content: Substring) -> [String]? {
    guard let first = content.first, first != "#", first != "=" else { return nil }
    let path = path(content)
    return path.isEmpty ? nil : path
  }

  /// Returns the parts of the key at the start of `content`, up to `=` or `]`; none if neither follows.
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

  /// Returns the closing mark of a multi-line string that begins in `line` and does not end there; `nil` if there is
  /// none.
  private static func openMark(in line: Substring) -> String? {
    for mark in ["\"\"\"", "'''"] where line.ranges(of: mark).count % 2 == 1 { return mark }
    return nil
  }
}
