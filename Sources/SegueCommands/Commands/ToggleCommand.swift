import ArgumentParser
import QueueFlow

/// `toggle`: waits at this place, or goes on.
struct ToggleCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Wait at this place, or go on.")

  @OptionGroup var player: SocketOptions

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.toggle()
  }
}
