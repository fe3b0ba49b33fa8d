import ArgumentParser
import MusicModel
import QueueFlow

/// `queue shuffle`: puts the items into a random order.
struct QueueShuffleCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Put the items of the queue into a random order.",
    discussion: """
      It is an edit, once; `mode random` leaves the items where they are, and plays them in another order.

      Examples:
        queue shuffle
        queue shuffle --albums
      """)

  @Flag(name: .long, help: "Keep each album whole, and in its order.")
  var albums = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let edit = try session.edit(state) { _ in session.services.actions.shuffle(by: albums ? .albums : .tracks)
    }
    let count = edit.before.items.count
    if count == 0 { return session.say("the queue is empty: there is nothing to shuffle") }
    session.say("shuffled \(ItemCount.text(count))\(albums ? " by albums" : "")")
  }
}
