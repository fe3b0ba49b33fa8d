import ArgumentParser

/// `quit` on the command line: ends the player that runs.
struct QuitPlayerCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "End the player that runs.",
    discussion: """
      Its queue and its place are kept. It may be `segue serve`, or `play` or `repl` in another terminal.

      Example:
        quit
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  var endsPlayer: Bool { true }

  func run(in session: Session) throws { session.services.endRequest.make() }
}
