import ArgumentParser
import MusicModel
import QueueFlow

/// `queue clear`: empties the queue.
struct QueueClearCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove all items from the queue.",
    discussion: """
      What plays is stopped. `queue undo` brings everything back.

      Example:
        queue clear
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let edit = try session.edit(state) { _ in session.services.actions.clear() }
    let count = edit.before.items.count
    session.remark(
      count == 0 ? "the queue is empty already" : "cleared \(ItemCount.text(count)); \(QueueEdit.undoHint)")
  }
}
