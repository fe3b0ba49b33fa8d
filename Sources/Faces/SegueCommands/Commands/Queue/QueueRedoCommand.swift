import ArgumentParser
import MusicModel
import QueueFlow

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

  @OptionGroup var options: StepOptions
  @OptionGroup var manner: MannerOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.run(
      in: session,
      StepOptions.Direction(
        names: \.redoable, move: session.services.actions.redo, done: "redid",
        nothing: "there is no edit to make again"))
  }
}
