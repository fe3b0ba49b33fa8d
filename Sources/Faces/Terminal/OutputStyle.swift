// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
import Platform

/// Output formatting, resolved from options, environment, settings and terminal.
///
/// Options take precedence over the environment, which takes precedence over the settings file. The default for
/// colours, `auto`, enables them on a terminal that shows them, unless output is plain or `$NO_COLOR` is set; `always`
/// and `never` override all of that, no matter where they are given (https://no-color.org). The setting `plain` applies
/// to terminals only, so that scripts still get tab-separated fields; the option applies to pipes, too. A dumb terminal
/// gets listings with columns, but no views or progress bars.
package struct OutputStyle: Equatable, Sendable {
  /// Whether output is plain text for screen readers; see ``PlainLine``.
  package var isPlain = false
  /// Whether the terminal can be redrawn in place, for views, progress, and a prompt that is updated during playback.
  package var draws = false
  /// Whether text may have colours.
  package var hasColours = false
  /// The verbosity; `nil` for the default.
  package var verbosity: Verbosity?
  /// Whether standard output is a terminal.
  package var isTerminal = false
  /// An explicit choice of ASCII symbols; `nil` to decide by the locale.
  private var asciiOnly: Bool?

  package init() {}

  /// Whether symbols are limited to ASCII. True on a terminal that cannot be redrawn, or if the locale is not UTF-8.
  package var isASCII: Bool {
    get { asciiOnly ?? !TerminalProperties.isUTF8 }
    set { asciiOnly = newValue }
  }

  /// Whether only requested output and errors are printed (`--quiet`).
  package var isQuiet: Bool { verbosity == .quiet }
  /// Whether details are printed on standard error (`--verbose`).
  package var isVerbose: Bool { verbosity == .verbose }
  /// Whether output is for people rather than scripts.
  package var isForPeople: Bool { isTerminal || isPlain }
  /// Whether progress is shown, either drawn or as lines printed by ``PlainProgress``.
  package var showsProgress: Bool { isTerminal && !isQuiet }
}

/// The amount of output in addition to the requested output.
package enum Verbosity: String, CaseIterable {
  /// Only requested output and errors, without progress, summaries, started tracks or hints.
  case quiet
  /// The default amount.
  case normal
  /// Details on standard error, too: the files that are read, what a query matched, and the output in use.
  case verbose
}

/// The properties of the terminal on standard output.
package struct TerminalProperties: Equatable {
  /// Whether standard output is a terminal.
  package var isTerminal = false
  /// The value of `$TERM`.
  var term: String?
  /// Whether `$NO_COLOR` is set and not empty (https://no-color.org).
  package var refusesColours = false

  /// The properties of the terminal that this process writes to.
  package static var ofProcess: TerminalProperties {
    TerminalProperties(
      isTerminal: StandardStream.output.isTerminal, term: Environment.value("TERM"),
      refusesColours: Environment.value("NO_COLOR") != nil)
  }

  /// Whether the terminal can move the cursor.
  package var canDraw: Bool { isTerminal && !["dumb", nil].contains(term) }

  /// Whether a terminal of this type shows colours. Those of DEC before the VT525 do not, and monochrome variants.
  package var showsColours: Bool {
    guard let term else { return false }
    return !(term.hasPrefix("vt") && term != "vt525" || term.hasSuffix("-m") || term.hasSuffix("-mono"))
  }

  /// Whether the locale's encoding is UTF-8. The first query is slow, so the result is stored.
  static let isUTF8 = segue_locale_is_utf8() != 0
}

extension String {
  /// The text with each symbol that Segue uses replaced by an ASCII character of the same width, for terminals without
  /// UTF-8.
  ///
  /// Other non-ASCII characters come from the user's data, and are left unchanged.
  package var withASCIISymbols: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.asciiSymbol ?? scalar) }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var asciiSymbol: Unicode.Scalar? {
    switch self {
    case "…": "~"
    case "·", "─", "┄": "-"
    case "━", "‖", "⏸": "="
    case "→", "▶": ">"
    case "←": "<"
    case "↑": "^"
    case "↓": "v"
    case "▏": "_"
    case "│", "┃", "▌": "|"
    case "┌", "┐", "└", "┘": "+"
    case "★": "*"
    case "♥": "+"
    case "☆": "."
    case "■": "#"
    // Symbols for control characters, and the replacement character.
    case "\u{2400}"..."\u{2426}", "\u{FFFD}": "?"
    default: nil
    }
  }
}

extension OutputStyle {
  /// Returns `text`, with its symbols replaced by ASCII characters if the terminal does not support them.
  package func withSupportedSymbols(_ text: String) -> String {
    // Check the text first, because reading the locale is slow.
    text.utf8.allSatisfy { $0 < 0x80 } || !isASCII ? text : text.withASCIISymbols
  }
}
