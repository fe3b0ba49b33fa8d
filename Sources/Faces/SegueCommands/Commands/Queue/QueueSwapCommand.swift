import ArgumentParser
import MusicModel
import QueueFlow
import UnicodeText

/// `queue swap`: has two items change places.
struct QueueSwapCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap", abstract: "Have two items of the queue change places.",
    discussion: """
      Each is a position, . for the current item, or last.

      Examples:
        queue swap 3 7
        queue swap . last
      """)

  @Argument(help: "The one item.")
  var one: String

  @Argument(help: "The other.")
  var other: String

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let ranges = [try ItemRange(one), try ItemRange(other)]
    var positions: [Int] = []
    _ = try session.edit(state) { queue throws(CommandError) in
      positions = []
      for range in ranges {
        positions.append(try range.position(in: queue))
      }
      session.services.actions.swap(positions[0], positions[1])
    }
    let (one, other) = (positions[0] + 1, positions[1] + 1)
    session.remark(
      one == other ? "\(one) is one item: there is nothing to swap" : "swapped \(one) and \(other)")
  }
}
