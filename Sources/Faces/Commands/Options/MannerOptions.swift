import ArgumentParser
import Screens
import Terminal
import UserSettings

/// How a command writes: the same options for all commands. Those of a player have them among ``PlayerOptions``.
struct MannerOptions: ParsableArguments {
  @Option(name: .customLong("color"), help: .color)
  var color: String?

  @Flag(name: .customLong("plain"), inversion: .prefixedNo, help: .plain)
  var plain: Bool?

  @Flag(name: .customLong("quiet"), inversion: .prefixedNo, help: .quiet)
  var quiet: Bool?

  @Flag(name: .customLong("verbose"), inversion: .prefixedNo, help: .verbose)
  var verbose: Bool?

  /// What is asked for.
  ///
  /// - Throws: `CommandError` where that cannot be.
  func wish() throws(CommandError) -> OutputStyleOverrides {
    if quiet == true, verbose == true { throw CommandError(.usage, "give --quiet or --verbose, not both") }
    return OutputStyleOverrides(
      colour: try color.map { text throws(CommandError) in try ColourChoice(text) }, isPlain: plain,
      verbosity: quiet == true ? .quiet : verbose == true ? .verbose : quiet ?? verbose == nil ? nil : .normal
    )
  }
}

/// What options say of how to write; `nil` for what they do not mention.
struct OutputStyleOverrides: Equatable, Sendable {
  var colour: ColourChoice?
  var isPlain: Bool?
  var verbosity: Verbosity?

  /// This wish, and of what it does not mention, what `other` says: a line of the REPL comes before the options that it
  /// began with.
  func before(_ other: OutputStyleOverrides) -> OutputStyleOverrides {
    OutputStyleOverrides(
      colour: colour ?? other.colour, isPlain: isPlain ?? other.isPlain,
      verbosity: verbosity ?? other.verbosity)
  }
}

extension ColourChoice {
  /// The choice that `text` is.
  ///
  /// - Throws: `CommandError` where it is none.
  init(_ text: String) throws(CommandError) { try self.init(option: text, named: "--color") }
}

extension OutputStyle {
  /// What `wish`, `settings` and the terminal make of it.
  init(_ wish: OutputStyleOverrides, _ settings: Settings, _ facts: TerminalFacts) {
    self.init()
    isTerminal = facts.isTerminal
    isPlain = wish.isPlain ?? (facts.isTerminal && settings.flag(.plain) == true)
    draws = facts.canDraw && !isPlain
    verbosity = wish.verbosity
    switch wish.colour ?? settings.word(.color).flatMap(ColourChoice.init(rawValue:)) ?? .auto {
    case .auto: hasColours = draws && !facts.refusesColours
    case .always: hasColours = true
    case .never: hasColours = false
    }
    if facts.isTerminal, !draws { isASCII = true }
  }
}

extension PlayerOptions {
  /// The same as the options of other commands.
  var manner: MannerOptions {
    var manner = MannerOptions()
    manner.color = color
    manner.plain = plain
    manner.quiet = quiet
    manner.verbose = verbose
    return manner
  }
}

extension ArgumentHelp {
  static let color = ArgumentHelp("Colours: auto (on a terminal), always or never.", valueName: "when")
  static let plain: ArgumentHelp =
    "Write whole lines for a screen reader: no columns, no bars, nothing drawn anew."
  static let quiet: ArgumentHelp = "Print what was asked for and errors, nothing else."
  static let verbose: ArgumentHelp = "Say on standard error what is done on the way."
}
