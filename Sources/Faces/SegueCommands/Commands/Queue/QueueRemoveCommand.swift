import ArgumentParser
import MusicModel
import QueueFlow
import UnicodeText

/// `queue remove`: takes items out of the queue.
struct QueueRemoveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove items from the queue.",
    discussion: """
      \(ItemRange.help) Where what plays is among them, playing goes on with what takes its place.

      Examples:
        queue remove 3
        queue remove 3,5,9-12
        queue remove 9-
      """, aliases: ["rm"])

  @Argument(parsing: .allUnrecognized, help: "Which items.")
  var range: [String]

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let range = try ItemRange(range)
    var title: String?
    let edit = try session.edit(state) { queue throws(CommandError) in
      let positions = try range.positions(in: queue.items.count, current: queue.currentPosition)
      if let first = positions.first, positions.count == 1, first.count == 1 {
        title = queue.items[first.lowerBound].track.title
      }
      session.services.actions.remove(.positions(positions))
    }
    let text = "removed \(ItemCount.text(edit.removedCount))"
    session.remark(title.map { "\(text): \($0)".safeForTerminal } ?? text)
  }
}
