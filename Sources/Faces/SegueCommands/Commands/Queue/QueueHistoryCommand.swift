import ArgumentParser
import MusicModel
import Platform

/// `queue history`: lists the edits.
struct QueueHistoryCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the edits of the queue, the newest first.",
    discussion: """
      Each with what brings the queue there: `queue undo 2` takes the last two back. At the top stand those that were taken back, which \
      `queue redo` makes again.

      Examples:
        queue history
        queue history --limit 5
      """)

  @OptionGroup var window: WindowOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  var mayPage: Bool { !window.noPager && !window.json }

  func run(in session: Session) throws {
    let queue = try session.keptQueue(state)
    let edits =
      queue.redoable.enumerated().map {
        ListedEdit(direction: .redo, steps: queue.redoable.count - $0, name: $1)
      }
      + queue.undoable.reversed().enumerated().map { ListedEdit(direction: .undo, steps: $0 + 1, name: $1) }
    if edits.isEmpty, !window.json, session.manner.isForPeople {
      return session.remark("nothing was edited yet")
    }
    let printer = ListingPrinter<ListedEdit>(session, isJSON: window.json, mayPage: !window.noPager)
    _ = try printer.print(Array(edits.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max)))
    try printer.finish()
  }
}
