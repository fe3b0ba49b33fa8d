// SPDX-License-Identifier: GPL-3.0-or-later

/// Text in mdoc(7).
enum ManualText {
  /// The maximum length of a source line that can be broken.
  private static let width = 76

  /// Returns `text` escaped so that nothing in it is a request or an escape.
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

  /// Returns `text` as one argument of a macro.
  static func argument(_ text: String) -> String {
    let text = escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(
      separator: "\\(dq")
    return text.contains(" ") ? "\"\(text)\"" : text
  }

  /// Returns running text as source lines: each sentence starts a line, and lines are short.
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

  /// Returns a paragraph. If it has several lines, they stay separate lines.
  static func paragraph(_ lines: [String]) -> [String] {
    guard lines.count > 1 else { return [".Pp"] + lines.flatMap(running) }
    return [".Pp", ".Bl -item -compact"] + lines.flatMap { [".It"] + running($0) } + [".El"]
  }

  /// Returns a list of terms with their descriptions.
  static func list(_ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".Bl -tag -width Ds"] + entries.flatMap { [".It \($0)"] + running($1) } + [".El"]
  }
}
