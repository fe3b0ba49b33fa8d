/// A command that says what its arguments are, so that they can be completed.
protocol CompletedCommand: SessionCommand {
  /// What the argument is that follows `arguments`, which are none of options.
  static func subject(after arguments: [String]) -> CompletionSubject
}
