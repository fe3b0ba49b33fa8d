import ArgumentParser
import QueueFlow

/// `next`: goes to the next track.
struct NextCommand: SessionCommand {
  static let configuration = CommandConfiguration(commandName: "next", abstract: "Go to the next track.")

  func run(in session: Session) throws {
    try session.checkThatThereIsACurrentTrack()
    session.services.actions.next()
  }
}
