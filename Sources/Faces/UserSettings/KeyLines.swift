/// In which line of a file of settings each key stands: a search, since the parser tells lines of its errors alone.
///
/// It reads lines that begin with a key and `=`, and headings of tables, and passes over texts of several lines. It
/// does not look into lists and tables that are written within a line: what stands there has the line of the key that
/// they belong to.
struct KeyLines {
  /// What is deeper than any setting is not searched for: a key may have thousands of parts.
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

  /// As the parser counts them.
  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// The line of the key at `path`, or of the nearest table that it is in, counted from 1.
  subscript(path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Notes a key, and the tables that it is in, where they are first met.
  private mutating func note(_ path: [String], _ line: Int) {
    var path = Array(path.prefix(Self.depth))
    while !path.isEmpty, lines[path] == nil {
      lines[path] = line
      path.removeLast()
    }
  }

  /// The parts of the key that `content` begins with and that `=` follows.
  private static func key(_ content: Substring) -> [String]? {
    guard let first = content.first, first != "#", first != "=" else { return nil }
    let path = path(content)
    return path.isEmpty ? nil : path
  }

  /// The parts of the key that `content` begins with, as far as `=` or `]`.
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

  /// The mark that a text of several lines, which begins in `line`, ends with.
  private static func openMark(in line: Substring) -> String? {
    for mark in ["\"\"\"", "'''"] where line.ranges(of: mark).count % 2 == 1 { return mark }
    return nil
  }
}
