import ArgumentParser
import MusicModel
import QueueFlow
import UnicodeText

/// `queue redo`: makes edits again that were taken back.
struct QueueRedoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Make the last edit again that was undone, or several.",
    discussion: """
      A new edit leaves nothing to be made again.

      Examples:
        queue redo
        queue redo 3
      """)

  @Argument(help: "How many edits.")
  var steps = 1

  @OptionGroup var state: StateOptions

  func validate() throws {
    if steps < 1 { throw ValidationError("the number of edits is at least 1: \(steps)") }
  }

  func run(in session: Session) throws {
    let edit = try session.edit(state) { queue throws(CommandError) in
      if queue.redoable.isEmpty { throw CommandError(.notFound, "there is no edit to make again") }
      session.services.actions.redo(steps: steps)
    }
    for name in edit.before.redoable.suffix(steps).reversed() { session.say("redid \(name)".safeForTerminal) }
  }
}
