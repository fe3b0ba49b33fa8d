// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
import Platform

/// Output formatting, resolved from options, environment, settings and terminal.
///
/// Options take precedence over the environment, which takes precedence over the settings file. For colours the
/// default `auto` means colours on a terminal that is not dumb, unless output is plain or `$NO_COLOR` is set; `always`
/// and `never` override all of that, wherever they are given (https://no-color.org). The setting `plain` applies to
/// terminals only, so that scripts get tab-separated fields; the option applies to pipes, too. A dumb terminal gets
/// listings with columns, but nothing is drawn on it.
package struct OutputStyle: Equatable, Sendable {
  /// Whether output is plain text for screen readers; see ``PlainLine``.
  package var isPlain = false
  /// Whether the terminal can be drawn on in place: views, progress, and a prompt that follows playback.
  package var draws = false
  /// Whether text may have colours.
  package var hasColours = false
  /// The verbosity.
  package var verbosity: Verbosity?
  /// Whether standard output is a terminal.
  package var isTerminal = false
  /// Whether symbols are ASCII only, if that is known.
  private var asciiOnly: Bool?

  /// Creates the style for a pipe.
  package init() {}

  /// Whether symbols are ASCII only: on a terminal without drawing, or if the locale is not UTF-8.
  package var isASCII: Bool {
    get { asciiOnly ?? !TerminalFacts.isUTF8 }
    set { asciiOnly = newValue }
  }

  /// Whether only requested output and errors are printed.
  package var isQuiet: Bool { verbosity == .quiet }
  /// Whether details are printed.
  package var isVerbose: Bool { verbosity == .verbose }
  /// Whether output is for people rather than scripts.
  package var isForPeople: Bool { isTerminal || isPlain }
  /// Whether progress is shown: drawn, or else printed by ``PlainProgress``.
  package var tellsProgress: Bool { isTerminal && !isQuiet }
}

/// The style as one word, which a command passes to the player that executes it.
extension OutputStyle {
  private static var letters: [(Character, WritableKeyPath<OutputStyle, Bool>)] {
    [("p", \.isPlain), ("d", \.draws), ("c", \.hasColours), ("t", \.isTerminal), ("a", \.isASCII)]
  }

  /// A letter for each property that is true, and `q` or `v` for the verbosity; "-" for none.
  package var code: String {
    let letters = Self.letters.filter { self[keyPath: $0.1] }.map { String($0.0) }.joined()
    let code = letters + (verbosity.map { String($0.rawValue.prefix(1)) } ?? "")
    return code.isEmpty ? "-" : code
  }

  /// Creates the style from `code`; unknown letters are ignored.
  package init(code: String) {
    self.init()
    for (letter, path) in Self.letters { self[keyPath: path] = code.contains(letter) }
    verbosity = Verbosity.allCases.first { code.contains($0.rawValue.prefix(1)) }
  }
}

/// The amount of output besides what was requested.
package enum Verbosity: String, CaseIterable {
  /// Only requested output and errors: no progress, summaries, started tracks, or hints.
  case quiet
  /// The default.
  case normal
  /// Also details on standard error: the files that are read, what a query matched, and the output in use.
  case verbose
}

/// The properties of the terminal behind standard output.
package struct TerminalFacts: Equatable {
  /// Whether it is a terminal.
  package var isTerminal = false
  /// The value of `$TERM`.
  var term: String?
  /// Whether `$NO_COLOR` is set and not empty (https://no-color.org).
  package var refusesColours = false

  /// The properties of this process's terminal.
  package static var ofProcess: TerminalFacts {
    TerminalFacts(
      isTerminal: StandardStream.output.isTerminal, term: Environment.value("TERM"),
      refusesColours: Environment.value("NO_COLOR") != nil)
  }

  /// Whether the cursor can be moved.
  package var canDraw: Bool { isTerminal && !["dumb", nil].contains(term) }

  /// Whether the locale's encoding is UTF-8. Queried once, since the first query is slow.
  static let isUTF8 = segue_locale_is_utf8() != 0
}

extension String {
  /// The text with each symbol that Segue draws replaced by an ASCII character of the same width, for terminals without
  /// UTF-8.
  ///
  /// Other non-ASCII characters belong to the user's data and stay.
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
    // Pictures of control characters, and the replacement character.
    case "\u{2400}"..."\u{2426}", "\u{FFFD}": "?"
    default: nil
    }
  }
}

extension OutputStyle {
  /// Returns `text` with symbols that the terminal supports.
  package func signed(_ text: String) -> String {
    // The locale is only queried if it matters.
    text.utf8.allSatisfy { $0 < 0x80 } || !isASCII ? text : text.withASCIISigns
  }
}
