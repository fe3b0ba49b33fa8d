import ArgumentParser
import QueueFlow

/// `pause`: waits at this place.
struct PauseCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Wait at this place.",
    discussion: """
      Example:
        pause
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.pause()
  }
}
