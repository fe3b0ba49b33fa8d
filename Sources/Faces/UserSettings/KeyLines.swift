// SPDX-License-Identifier: GPL-3.0-or-later

/// The line number of each key in a settings file. The TOML parser reports lines only for errors, so the lines of keys
/// are found by searching the text.
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
    var openDelimiter: String?
    for (index, line) in Self.lines(of: text).enumerated() {
      if let delimiter = openDelimiter {
        if line.contains(delimiter) { openDelimiter = nil }
        continue
      }
      openDelimiter = Self.openDelimiter(in: line)
      let content = line.drop { $0.isWhitespace }
      if content.first == "[" {
        table = Self.path(content.drop { $0 == "[" })
        record(table, index + 1)
      } else if let path = Self.key(content) {
        record(table + path, index + 1)
      }
    }
  }

  /// Splits the text into lines in the same way as the parser.
  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// The line of the key at `path` or, if it was not found, of the innermost enclosing table that was found. Lines are
  /// counted from 1; `nil` if no table was found either.
  subscript(path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Records `line` for a key and for its enclosing tables, unless they have a line already.
  private mutating func record(_ path: [String], _ line: Int) {
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

  /// Returns the closing delimiter of a multi-line string that begins on `line` and does not end there; `nil` if there
  /// is none.
  private static func openDelimiter(in line: Substring) -> String? {
    for delimiter in ["\"\"\"", "'''"] where line.ranges(of: delimiter).count % 2 == 1 { return delimiter }
    return nil
  }
}
