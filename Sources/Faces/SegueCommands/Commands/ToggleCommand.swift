import ArgumentParser
import QueueFlow

/// `toggle`: waits at this place, or goes on.
struct ToggleCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Wait at this place, or go on.",
    discussion: """
      Example:
        toggle
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.toggle()
    session.tellIfOutputIsDisabled()
  }
}
