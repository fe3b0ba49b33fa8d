import ArgumentParser
import MusicModel
import QueueFlow
import UnicodeText

/// `queue move`: puts items elsewhere.
struct QueueMoveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move items of the queue.",
    discussion: """
      \(ItemRange.help) TO is where the first of them stands afterwards: \(ItemPlace.help) They stand together then, in their order.

      Examples:
        queue move 7 1
        queue move 9-12 next
        queue move -2 end
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("Which items, and where to: RANGE TO.", valueName: "range-to"))
  var words: [String]

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    guard let last = words.last, words.count > 1 else {
      throw CommandError(.usage, "where to is missing: queue move RANGE TO")
    }
    let range = try ItemRange(words.dropLast())
    let place = try ItemPlace(last)
    var first = 0
    var moved: [Range<Int>] = []
    let edit = try session.edit(state) { queue throws(CommandError) in
      moved = try range.positions(in: queue.items.count, current: queue.currentPosition)
      first = try place.target(of: moved, in: queue)
      session.services.actions.move(.positions(moved), to: first)
    }
    let count = moved.reduce(0) { $0 + $1.count }
    let positions = first..<first + count
    if moved == [positions] {
      let verb = count == 1 ? "is" : "are"
      return session.remark("\(ItemCount.text(count)) \(verb) at \(PositionText.text(positions)) already")
    }
    let title = count == 1 ? ": " + edit.before.items[moved[0].lowerBound].track.title : ""
    session.remark(
      "moved \(ItemCount.text(count)) to \(PositionText.text(positions))\(title)".safeForTerminal)
  }
}
