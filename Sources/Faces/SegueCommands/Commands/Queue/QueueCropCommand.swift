import ArgumentParser
import MusicModel
import QueueFlow

/// `queue crop`: takes out all but some items.
struct QueueCropCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop", abstract: "Remove all items but some, or but the current one.",
    discussion: """
      \(ItemRange.help)

      Examples:
        queue crop
        queue crop 3-7
        queue crop .-
      """)

  @Argument(parsing: .allUnrecognized, help: "Which items stay. Default: the current one.")
  var range: [String] = []

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let staying = try range.isEmpty ? nil : ItemRange(range)
    let current = try ItemRange(".")
    let edit = try session.edit(state) { queue throws(CommandError) in
      if queue.items.isEmpty, staying == nil { return }
      let positions = try (staying ?? current).positions(
        in: queue.items.count, current: queue.currentPosition)
      session.services.actions.crop(to: staying.map { _ in .positions(positions) })
    }
    if edit.before.items.isEmpty { return session.remark("the queue is empty already") }
    if edit.removedCount == 0 { return session.remark("nothing else is in the queue") }
    session.remark(
      "removed \(ItemCount.text(edit.removedCount)), kept \(edit.after.items.count); \(QueueEdit.undoHint)")
  }
}
