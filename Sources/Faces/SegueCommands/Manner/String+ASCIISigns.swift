extension String {
  /// The text with a sign of ASCII in the place of each that Segue draws, as wide as that: for terminals without UTF-8.
  ///
  /// What else is not ASCII is the user's, and stays.
  var withASCIISigns: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.asciiSign ?? scalar) }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var asciiSign: Unicode.Scalar? {
    switch self {
    case "…": "~"
    case "·", "─", "┄": "-"
    case "━", "‖", "⏸": "="
    case "→", "▶": ">"
    case "←": "<"
    case "↑": "^"
    case "↓": "v"
    case "▏": "_"
    case "■": "#"
    // Pictures of controls, and what stands for what cannot be shown.
    case "\u{2400}"..."\u{2426}", "\u{FFFD}": "?"
    default: nil
    }
  }
}

extension TerminalManner {
  /// `text` with signs that the terminal knows.
  func signed(_ text: String) -> String {
    // The locale is asked for where there is a reason to.
    text.utf8.allSatisfy { $0 < 0x80 } || !isASCII ? text : text.withASCIISigns
  }
}
