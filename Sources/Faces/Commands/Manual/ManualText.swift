/// Text in the language of mdoc(7).
enum ManualText {
  /// How long a line of the source is at most, where it can be broken.
  private static let width = 76

  /// `text` so that nothing in it is a request or an escape.
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

  /// `text` as one argument of a macro.
  static func argument(_ text: String) -> String {
    let text = escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(
      separator: "\\(dq")
    return text.contains(" ") ? "\"\(text)\"" : text
  }

  /// Lines of running text: a sentence begins a line, and none is long.
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

  /// A paragraph: its lines stay lines where they are several.
  static func paragraph(_ lines: [String]) -> [String] {
    guard lines.count > 1 else { return [".Pp"] + lines.flatMap(running) }
    return [".Pp", ".Bl -item -compact"] + lines.flatMap { [".It"] + running($0) } + [".El"]
  }

  /// A list of things, each with what it is.
  static func list(_ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".Bl -tag -width Ds"] + entries.flatMap { [".It \($0)"] + running($1) } + [".El"]
  }
}
