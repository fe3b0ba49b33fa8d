import CEditline
import Platform

/// What is known of where standard output goes.
struct TerminalFacts: Equatable {
  /// Whether it is a terminal.
  var isTerminal = false
  /// What `$TERM` calls it.
  var term: String?
  /// Whether `$NO_COLOR` is there and not empty (https://no-color.org).
  var refusesColours = false

  /// What this process finds.
  static var ofProcess: TerminalFacts {
    TerminalFacts(
      isTerminal: StandardStream.output.isTerminal, term: Environment.value("TERM"),
      refusesColours: Environment.value("NO_COLOR") != nil)
  }

  /// Whether it can put the cursor elsewhere.
  var canDraw: Bool { isTerminal && !["dumb", nil].contains(term) }

  /// Whether the locale says that terminals of this process take UTF-8. Asked once: the first time takes a while.
  static let isUTF8 = segue_locale_is_utf8() != 0
}
