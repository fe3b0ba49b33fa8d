import ArgumentParser
import MusicModel
import QueueFlow

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

  @OptionGroup var options: StepOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.run(
      in: session,
      StepOptions.Direction(
        names: \.undoable, move: session.services.actions.undo, done: "undid",
        nothing: "there is no edit to undo"))
  }
}
