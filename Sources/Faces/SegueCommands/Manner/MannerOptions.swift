import ArgumentParser

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
  func wish() throws(CommandError) -> MannerWish {
    if quiet == true, verbose == true { throw CommandError(.usage, "give --quiet or --verbose, not both") }
    return MannerWish(
      colour: try color.map { text throws(CommandError) in try ColourChoice(text) }, isPlain: plain,
      verbosity: quiet == true ? .quiet : verbose == true ? .verbose : quiet ?? verbose == nil ? nil : .normal
    )
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
