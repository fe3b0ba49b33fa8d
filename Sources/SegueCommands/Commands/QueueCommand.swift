import ArgumentParser
import Platform
import QueueFlow

/// `queue`: shows the queue.
struct QueueCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Show the queue, the current track marked.",
    discussion: "From another terminal, the queue of the player that runs, or of the one that ran last.")

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let columns = StandardStream.output.terminalSize?.columns
    for line in QueueListing.lines(try session.keptQueue(state), columns: columns) { session.say(line) }
  }
}
