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
    for line in QueueListing.lines(try snapshot(session), columns: columns) { session.say(line) }
  }

  private func snapshot(_ session: Session) throws(CommandError) -> QueueSnapshot {
    if session.face == .repl, state.stateDir == nil { return QueueSnapshot(session.services.queue.queue) }
    let file = StateFile.queue(in: state.directory(in: session))
    return try session.read(file) ?? QueueSnapshot(session.services.queue.queue)
  }
}
