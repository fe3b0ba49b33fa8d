import ArgumentParser

/// A command of the command line, or a word of the REPL: the same type, parsed the same way.
protocol SessionCommand: ParsableCommand {
  /// Does what it says.
  ///
  /// - Throws: `CommandError`.
  func run(in session: Session) throws
}
