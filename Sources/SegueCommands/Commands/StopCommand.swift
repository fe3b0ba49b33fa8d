import ArgumentParser
import QueueFlow

/// `stop`: stops playing.
struct StopCommand: SessionCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playing.")

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.stop()
  }
}
