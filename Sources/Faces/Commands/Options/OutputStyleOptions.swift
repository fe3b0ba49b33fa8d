// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort
import Screens
import Terminal
import UserSettings

/// The options for the output style, which all commands have: as part of ``StateOptions`` or of ``PlayerOptions``, or
/// as a group of their own.
struct OutputStyleOptions: ParsableArguments {
  @Option(name: .customLong("color"), help: .color)
  var color: String?

  @Flag(name: .customLong("plain"), inversion: .prefixedNo, help: .plain)
  var plain: Bool?

  @Flag(name: .customLong("quiet"), inversion: .prefixedNo, help: .quiet)
  var quiet: Bool?

  @Flag(name: .customLong("verbose"), inversion: .prefixedNo, help: .verbose)
  var verbose: Bool?

  /// Returns the overrides that the options request.
  ///
  /// - Throws: `PlayerError` if options contradict each other, or if a value is unknown.
  func overrides() throws(PlayerError) -> OutputStyleOverrides {
    if quiet == true, verbose == true { throw PlayerError(.usage, "use --quiet or --verbose, not both") }
    return OutputStyleOverrides(
      colour: try color.map { text throws(PlayerError) in try ColourChoice(text) }, isPlain: plain,
      verbosity: quiet == true ? .quiet : verbose == true ? .verbose : quiet ?? verbose == nil ? nil : .normal
    )
  }
}

/// The output style that options request. A property is `nil` if its option is not given.
struct OutputStyleOverrides: Equatable, Sendable {
  var colour: ColourChoice?
  var isPlain: Bool?
  var verbosity: Verbosity?

  /// Returns these overrides, completed by `other` where they are `nil`. The options of a line in the REPL take
  /// precedence over those with which the REPL was started.
  func merging(over other: OutputStyleOverrides) -> OutputStyleOverrides {
    OutputStyleOverrides(
      colour: colour ?? other.colour, isPlain: isPlain ?? other.isPlain,
      verbosity: verbosity ?? other.verbosity)
  }
}

extension ColourChoice {
  /// Creates the choice that is called `text`.
  ///
  /// - Throws: `PlayerError` if there is none.
  init(_ text: String) throws(PlayerError) { try self.init(option: text, named: "--color") }
}

extension OutputStyle {
  /// Creates the style from overrides by options, the settings, and the properties of the terminal.
  init(_ overrides: OutputStyleOverrides, _ settings: Settings, _ terminal: TerminalProperties) {
    self.init()
    isTerminal = terminal.isTerminal
    isPlain = overrides.isPlain ?? (terminal.isTerminal && settings.flag(.plain) == true)
    draws = terminal.canDraw && !isPlain
    verbosity = overrides.verbosity
    switch overrides.colour ?? settings.word(.color).flatMap(ColourChoice.init(rawValue:)) ?? .auto {
    case .auto: hasColours = draws && terminal.showsColours && !terminal.refusesColours
    case .always: hasColours = true
    case .never: hasColours = false
    }
    if terminal.isTerminal, !draws { isASCII = true }
  }
}

extension PlayerOptions {
  /// The output style options of a player command.
  var outputStyle: OutputStyleOptions {
    var outputStyle = OutputStyleOptions()
    outputStyle.color = color
    outputStyle.plain = plain
    outputStyle.quiet = quiet
    outputStyle.verbose = verbose
    return outputStyle
  }
}

extension ArgumentHelp {
  static let color = ArgumentHelp("When to use colours: auto (on a terminal), always or never.", valueName: "when")
  static let plain: ArgumentHelp =
    "Print plain lines for screen readers: no columns, bars or redrawing."
  static let inline: ArgumentHelp = "Show the screen in a few lines below the prompt."
  static let quiet: ArgumentHelp = "Print only requested output and errors."
  static let verbose: ArgumentHelp = "Print details to standard error."
}
