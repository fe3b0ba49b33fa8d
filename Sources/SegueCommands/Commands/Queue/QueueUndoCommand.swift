import ArgumentParser
import MusicModel
import QueueFlow
import UnicodeText

/// `queue undo`: takes edits back.
struct QueueUndoCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last edit of the queue, or several.",
    discussion: """
      What was current before the edit is current again where what plays is not in the queue any more. `queue history` lists the edits, and \
      `queue redo` makes them again.

      Examples:
        queue undo
        queue undo 3
      """)

  @Argument(help: "How many edits.")
  var steps = 1

  @OptionGroup var state: StateOptions

  func validate() throws {
    if steps < 1 { throw ValidationError("the number of edits is at least 1: \(steps)") }
  }

  func run(in session: Session) throws {
    let edit = try session.edit(state) { queue throws(CommandError) in
      if queue.undoable.isEmpty { throw CommandError(.notFound, "there is no edit to undo") }
      session.services.actions.undo(steps: steps)
    }
    for name in edit.before.undoable.suffix(steps).reversed() { session.say("undid \(name)".safeForTerminal) }
  }
}
