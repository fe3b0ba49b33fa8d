import ArgumentParser
import MusicModel
import QueueFlow

/// `resume`: goes on.
struct ResumeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Go on after a pause, or with the current track.")

  func run(in session: Session) throws {
    if session.services.queue.queue.items.isEmpty {
      throw CommandError(.nothingPlayable, "the queue is empty: play an album first")
    }
    session.services.actions.resume()
  }
}
