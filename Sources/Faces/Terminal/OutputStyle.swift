import CEditline
import Platform

/// How is written to who asks: the one answer that options, the environment, the settings and the terminal give
/// together.
///
/// An option comes before the environment, that before the file of settings. `auto`, the default for colours, means
/// colours on a terminal that is not dumb, unless lines are plain or `$NO_COLOR` is there; `always` and `never` do not
/// ask for that, wherever they are said (https://no-color.org). The setting `plain` is for terminals alone, so that
/// scripts find their tabs; the option is for pipes, too. A terminal that is dumb keeps its listings, but nothing is
/// drawn on it.
package struct OutputStyle: Equatable, Sendable {
  /// Whether what is listed is written as text to be read aloud; see ``PlainLine``.
  package var isPlain = false
  /// Whether the terminal is one on which something may be drawn in place: views, progress, a prompt that follows what
  /// plays.
  package var draws = false
  /// Whether text may have colours.
  package var hasColours = false
  /// How much is said.
  package var verbosity: Verbosity?
  /// Whether standard output is a terminal.
  package var isTerminal = false
  /// Whether signs are of ASCII, where that is known.
  private var asciiOnly: Bool?

  /// As it is in a pipe.
  package init() {}

  /// Whether signs are of ASCII: where nothing is drawn on a terminal, and where the locale has no others.
  package var isASCII: Bool {
    get { asciiOnly ?? !TerminalFacts.isUTF8 }
    set { asciiOnly = newValue }
  }

  /// Whether nothing is said but what was asked for, and errors.
  package var isQuiet: Bool { verbosity == .quiet }
  /// Whether it is said what is done on the way.
  package var isVerbose: Bool { verbosity == .verbose }
  /// Whether what is listed is for eyes or ears, and not for a script.
  package var isForPeople: Bool { isTerminal || isPlain }
  /// Whether progress is told: by what is drawn, or else by ``PlainProgress``.
  package var tellsProgress: Bool { isTerminal && !isQuiet }
}

/// The manner as one word, in which a command tells it to the player that obeys it.
extension OutputStyle {
  private static var letters: [(Character, WritableKeyPath<OutputStyle, Bool>)] {
    [("p", \.isPlain), ("d", \.draws), ("c", \.hasColours), ("t", \.isTerminal), ("a", \.isASCII)]
  }

  /// A letter for each thing that is true, and `q` or `v` for how much is said; "-" for none.
  package var code: String {
    let letters = Self.letters.filter { self[keyPath: $0.1] }.map { String($0.0) }.joined()
    let code = letters + (verbosity.map { String($0.rawValue.prefix(1)) } ?? "")
    return code.isEmpty ? "-" : code
  }

  /// The manner that `code` means; letters that are not known mean nothing.
  package init(code: String) {
    self.init()
    for (letter, path) in Self.letters { self[keyPath: path] = code.contains(letter) }
    verbosity = Verbosity.allCases.first { code.contains($0.rawValue.prefix(1)) }
  }
}

/// How much is said besides what was asked for.
package enum Verbosity: String, CaseIterable {
  /// Nothing but that and errors: no progress, no summary, no track that begins, no hint.
  case quiet
  /// What most want to know.
  case normal
  /// Also, on standard error, what is done on the way: which files are read, what a query matched, where the sound
  /// goes.
  case verbose
}

/// What is known of where standard output goes.
package struct TerminalFacts: Equatable {
  /// Whether it is a terminal.
  package var isTerminal = false
  /// What `$TERM` calls it.
  var term: String?
  /// Whether `$NO_COLOR` is there and not empty (https://no-color.org).
  package var refusesColours = false

  /// What this process finds.
  package static var ofProcess: TerminalFacts {
    TerminalFacts(
      isTerminal: StandardStream.output.isTerminal, term: Environment.value("TERM"),
      refusesColours: Environment.value("NO_COLOR") != nil)
  }

  /// Whether it can put the cursor elsewhere.
  package var canDraw: Bool { isTerminal && !["dumb", nil].contains(term) }

  /// Whether the locale says that terminals of this process take UTF-8. Asked once: the first time takes a while.
  static let isUTF8 = segue_locale_is_utf8() != 0
}

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

extension OutputStyle {
  /// `text` with signs that the terminal knows.
  package func signed(_ text: String) -> String {
    // The locale is asked for where there is a reason to.
    text.utf8.allSatisfy { $0 < 0x80 } || !isASCII ? text : text.withASCIISigns
  }
}
