import ArgumentParser
import MusicModel
import QueueFlow

/// `previous`: goes to the track before.
struct PreviousCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous",
    abstract: "Go to the track before, or, after its first three seconds, to the beginning of this one.",
    discussion: """
      Behind the end of the queue, that is its last track.

      Example:
        previous
      """)

  @OptionGroup var player: SocketOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    if session.services.queue.queue.items.isEmpty { throw CommandError.emptyQueue }
    session.services.actions.previous()
    session.tellIfOutputIsDisabled()
  }
}
