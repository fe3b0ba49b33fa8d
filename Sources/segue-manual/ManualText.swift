// SPDX-License-Identifier: GPL-3.0-or-later

/// Formats text as mdoc(7) source.
enum ManualText {
  /// The maximum length of a source line, unless a single word is longer.
  private static let width = 76

  /// Returns `text` with characters escaped so that mdoc interprets none of it.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      default: escaped.append(character)
      }
    }
    return escaped.first == "." ? "\\&" + escaped : escaped
  }

  static func argument(_ text: String) -> String {
    let text = escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(
      separator: "\\(dq")
    return text.contains(" ") ? "\"\(text)\"" : text
  }

  /// Returns running text as source lines. Each sentence begins on a new line, and long lines are broken.
  static func running(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let source = escaped(String(word))
      if !line.isEmpty, line.count + source.count >= width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? source : " " + source
      if word.count > 1 && ".!?:;".contains(word.last ?? " ") || word.hasSuffix(".)") {
        lines.append(line)
        line = ""
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Returns a paragraph. If it consists of several lines, they remain separate lines.
  static func paragraph(_ lines: [String]) -> [String] {
    guard lines.count > 1 else { return [".Pp"] + lines.flatMap(running) }
    return [".Pp", ".Bl -item -compact"] + lines.flatMap { [".It"] + running($0) } + [".El"]
  }

  static func list(_ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".Bl -tag -width Ds"] + entries.flatMap { [".It \($0)"] + running($1) } + [".El"]
  }
}
