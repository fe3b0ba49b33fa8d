import ArgumentParser
import QueueFlow

/// `stop`: stops playing.
struct StopCommand: TransportCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playing.")

  @OptionGroup var player: SocketOptions

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.stop()
  }
}
