import ArgumentParser
import MusicModel
import QueueFlow

/// `queue shuffle`: puts items into a random order.
struct QueueShuffleCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Put items of the queue, or all, into a random order.",
    discussion: """
      It is an edit, once; `mode random` leaves the items where they are, and plays them in another order. \(ItemRange.help) It is one part of \
      the queue here.

      Examples:
        queue shuffle
        queue shuffle --albums
        queue shuffle 12-
      """)

  @Argument(parsing: .allUnrecognized, help: "Which items. Default: all.")
  var range: [String] = []

  @Flag(name: .long, help: "Keep each album whole, and in its order.")
  var albums = false

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let range = try range.isEmpty ? nil : ItemRange(range)
    var part: Range<Int>?
    let edit = try session.edit(state) { queue throws(CommandError) in
      part = try range?.row(in: queue)
      session.services.actions.shuffle(part, by: albums ? .albums : .tracks)
    }
    let count = part?.count ?? edit.before.items.count
    if count == 0 { return session.remark("the queue is empty: there is nothing to shuffle") }
    session.remark(
      "shuffled \(ItemCount.text(count))\(PositionText.place(part))\(albums ? " by albums" : "")")
  }
}
