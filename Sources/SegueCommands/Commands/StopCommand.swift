import ArgumentParser
import QueueFlow

/// `stop`: stops playing.
struct StopCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop playing.",
    discussion: """
      Example:
        stop
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.stop()
  }
}
