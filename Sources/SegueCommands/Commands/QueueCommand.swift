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
    let file = QueueSnapshotFile(directory: state.directory(in: session))
    do {
      return try file.read() ?? QueueSnapshot(session.services.queue.queue)
    } catch {
      switch error {
      case .damaged:
        throw CommandError(.failure, "\(file.path) is damaged; the next `segue play` writes it anew")
      case .unreadable(let error):
        throw CommandError(.failure, "\(file.path) cannot be read: \(error); check its permissions")
      }
    }
  }
}
