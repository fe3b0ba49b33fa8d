import ArgumentParser
import QueueFlow

/// `pause`: waits at this place.
struct PauseCommand: SessionCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Wait at this place.")

  func run(in session: Session) throws {
    try session.checkThatSomethingPlays()
    session.services.actions.pause()
  }
}
