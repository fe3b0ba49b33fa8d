/// How is written to who asks: the one answer that options, the environment, the settings and the terminal give
/// together.
///
/// An option comes before the environment, that before the file of settings. `auto`, the default for colours, means
/// colours on a terminal that is not dumb, unless lines are plain or `$NO_COLOR` is there; `always` and `never` do not
/// ask for that, wherever they are said (https://no-color.org). The setting `plain` is for terminals alone, so that
/// scripts find their tabs; the option is for pipes, too. A terminal that is dumb keeps its listings, but nothing is
/// drawn on it.
struct TerminalManner: Equatable, Sendable {
  /// Whether what is listed is written as text to be read aloud; see ``PlainLine``.
  var isPlain = false
  /// Whether the terminal is one on which something may be drawn in place: views, progress, a prompt that follows what
  /// plays.
  var draws = false
  /// Whether text may have colours.
  var hasColours = false
  /// How much is said.
  var verbosity: Verbosity?
  /// Whether standard output is a terminal.
  var isTerminal = false
  /// Whether signs are of ASCII, where that is known.
  private var asciiOnly: Bool?

  /// As it is in a pipe.
  init() {}

  /// What `wish`, `settings` and the terminal make of it.
  init(_ wish: MannerWish, _ settings: Settings, _ facts: TerminalFacts) {
    isTerminal = facts.isTerminal
    isPlain = wish.isPlain ?? (facts.isTerminal && settings.flag(.plain) == true)
    draws = facts.canDraw && !isPlain
    verbosity = wish.verbosity
    switch wish.colour ?? settings.word(.color).flatMap(ColourChoice.init(rawValue:)) ?? .auto {
    case .auto: hasColours = draws && !facts.refusesColours
    case .always: hasColours = true
    case .never: hasColours = false
    }
    if facts.isTerminal, !draws { asciiOnly = true }
  }

  /// Whether signs are of ASCII: where nothing is drawn on a terminal, and where the locale has no others.
  var isASCII: Bool {
    get { asciiOnly ?? !TerminalFacts.isUTF8 }
    set { asciiOnly = newValue }
  }

  /// Whether nothing is said but what was asked for, and errors.
  var isQuiet: Bool { verbosity == .quiet }
  /// Whether it is said what is done on the way.
  var isVerbose: Bool { verbosity == .verbose }
  /// Whether what is listed is for eyes or ears, and not for a script.
  var isForPeople: Bool { isTerminal || isPlain }
  /// Whether progress is told: by what is drawn, or else by ``PlainProgress``.
  var tellsProgress: Bool { isTerminal && !isQuiet }
}
