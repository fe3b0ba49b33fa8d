// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
package import SystemPackage
import TOMLFiles

/// Changes a value in the settings file, and leaves everything else in it as it is, comments included.
///
/// The text is changed in the simplest way that could be right; then it is parsed. A change is made only if the new
/// text has exactly the old settings but for the one that is set.
package enum SettingsFileEdit {
  /// The maximum number of lines that a value may have.
  private static let valueLimit = 100

  /// Sets a setting in the file at `path`, which is created if there is none.
  ///
  /// - Throws: `SettingsProblem`; then the file is unchanged.
  package static func save(_ value: SettingValue, as name: SettingName, in path: FilePath) throws(SettingsProblem) {
    let location = path.lastComponent?.string ?? path.string
    do {
      guard try AtomicFile.read(path, limit: SettingsFile.limit) != nil else {
        let new = try text("", setting: name, to: value, location: location)
        return try AtomicFile.write(Array(new.utf8), to: path)
      }
      // The rewrite keeps the owner and the permissions, and a link stays a link.
      let rewrite = try FileRewrite(of: path)
      let bytes = try AtomicFile.read(rewrite.copy, limit: SettingsFile.limit) ?? []
      guard let old = String(validating: bytes, as: UTF8.self) else { throw Errno.illegalByteSequence }
      let new = try text(old, setting: name, to: value, location: location)
      let file = try FileDescriptor.open(rewrite.copy, .writeOnly, options: [.closeOnExec, .truncate])
      _ = try file.closeAfter { try file.writeAll(new.utf8) }
      try rewrite.commit()
    } catch let problem as SettingsProblem {
      throw problem
    } catch {
      throw SettingsProblem(location: location, message: "\(path.shown) cannot be changed: \(error)")
    }
  }

  /// Returns the text of a settings file with a setting set to `value`.
  ///
  /// - Throws: `SettingsProblem` if the text is not valid TOML, or has the setting in a place that must be edited by
  ///   hand.
  static func text(
    _ text: String, setting name: SettingName, to value: SettingValue, location: String
  ) throws(SettingsProblem) -> String {
    let old: [String: TOMLValue]
    do throws(TOMLError) { old = try TOMLDocument.parse(text) } catch {
      throw SettingsProblem(location: "\(location):\(error.line)", message: "\(error.message); fix this first")
    }
    guard let tree = try? TOMLDocument.parse("value = \(value.toml)\n")["value"] else {
      throw SettingsProblem(location: location, message: "\(name.rawValue) cannot be \(value.text)")
    }
    let wanted = old.setting(name.path, to: tree)
    for candidate in candidates(text, name.path, value) {
      if let new = try? TOMLDocument.parse(candidate), new == wanted { return candidate }
    }
    throw SettingsProblem(
      location: location, message: "\(name.rawValue) is set in a way that must be edited by hand")
  }

  // MARK: Candidates

  /// Returns texts that may set the value at `path`, the best first.
  private static func candidates(_ text: String, _ path: [String], _ value: SettingValue) -> [String] {
    let newline = text.contains("\r\n") ? "\r\n" : "\n"
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    // The text ends with a line break, or is empty.
    if lines.last?.isEmpty == true { lines.removeLast() }
    let document = Lines(lines, newline)
    let (key, table) = (path.last ?? "", path.count > 1 ? path[0] : nil)
    let assignment = "\(key) = \(value.toml)"
    var found: [String] = []
    if let line = KeyLines(text)[path].map({ $0 - 1 }), lines.indices.contains(line) {
      // The key as it is written there, which may be quoted or dotted.
      if let sign = lines[line].firstIndex(of: "=") {
        let head = lines[line][...sign]
        for end in line..<min(lines.count, line + valueLimit) {
          let comment = end == line ? comment(in: lines[line]) : ""
          found.append(document.replacing(line...end, with: "\(head) \(value.toml)\(comment)"))
        }
      }
    }
    let headers = lines.indices.filter { lines[$0].drop(while: \.isWhitespace).first == "[" }
    if let table {
      let header = headers.first { lines[$0].filter { !$0.isWhitespace }.hasPrefix("[\(table)]") }
      if let header {
        let end = headers.first { $0 > header } ?? lines.count
        found += [document.inserting(assignment, before: document.end(of: header + 1..<end))]
        found += [document.inserting(assignment, before: header + 1)]
      }
      let separator = lines.isEmpty ? [] : [""]
      found.append(document.appending(separator + ["[\(table)]", assignment]))
      found.append(document.inserting("\(table).\(assignment)", before: 0))
    } else {
      let end = headers.first ?? lines.count
      found += [document.inserting(assignment, before: document.end(of: 0..<end))]
      found += [document.inserting(assignment, before: 0)]
    }
    return found
  }

  /// Returns the comment at the end of a line with a value, with the spaces before it; empty if there is none.
  private static func comment(in line: String) -> String {
    var quote: Character?
    var isEscaped = false
    for index in line.indices {
      let character = line[index]
      if isEscaped {
        isEscaped = false
      } else if let mark = quote {
        if character == "\\", mark == "\"" { isEscaped = true }
        if character == mark { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "#" {
        let spaces = line[..<index].reversed().prefix(while: \.isWhitespace)
        return String(spaces) + line[index...]
      }
    }
    return ""
  }

  /// The lines of a settings file.
  private struct Lines {
    private let lines: [String]
    private let newline: String

    init(_ lines: [String], _ newline: String) {
      self.lines = lines
      self.newline = newline
    }

    func replacing(_ range: ClosedRange<Int>, with line: String) -> String {
      text(lines[..<range.lowerBound] + [line] + lines[(range.upperBound + 1)...])
    }

    func inserting(_ line: String, before index: Int) -> String { text(lines[..<index] + [line] + lines[index...]) }

    func appending(_ new: [String]) -> String { text(lines + new) }

    /// Returns the index after the last line of `range` that is neither blank nor a comment. What comes after it
    /// belongs to the next table.
    func end(of range: Range<Int>) -> Int {
      var end = range.upperBound
      while end > range.lowerBound {
        let content = lines[end - 1].drop(while: \.isWhitespace)
        guard content.isEmpty || content.first == "#" && range.upperBound < lines.count else { break }
        end -= 1
      }
      return end
    }

    private func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + newline }.joined() }
  }
}

extension [String: TOMLValue] {
  /// Returns the entries with the value at `path`, which has one or two parts.
  fileprivate func setting(_ path: [String], to value: TOMLValue) -> Self {
    var entries = self
    guard path.count > 1, let table = path.first, let key = path.last else {
      if let key = path.first { entries[key] = value }
      return entries
    }
    var inner: [String: TOMLValue] = [:]
    if case .table(let present)? = entries[table] { inner = present }
    inner[key] = value
    entries[table] = .table(inner)
    return entries
  }
}

extension SettingValue {
  /// The value as it stands in the settings file.
  fileprivate var toml: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .integer, .flag: text
    // TOML has no number that begins or ends with a point.
    case .number: text
    case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    case .paths(let paths):
      paths.count == 1 ? Self.quoted(paths[0]) : "[" + paths.map(Self.quoted).joined(separator: ", ") + "]"
    }
  }

  /// Returns the text as a basic string of TOML.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{00}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
