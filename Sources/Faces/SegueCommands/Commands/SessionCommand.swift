import ArgumentParser

/// A command of the command line, or a word of the REPL: the same type, parsed the same way.
protocol SessionCommand: ParsableCommand {
  /// How it writes.
  var manner: MannerOptions { get }

  /// Does what it says.
  ///
  /// - Throws: `CommandError`.
  func run(in session: Session) throws

  /// The command itself, where it is for the player: a requirement, since a cast would search all conformances of the
  /// program.
  var forPlayer: (any PlayerCommand)? { get }
}

extension SessionCommand {
  var forPlayer: (any PlayerCommand)? { nil }
}
