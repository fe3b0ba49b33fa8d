import ArgumentParser
import MusicModel
import QueueFlow

/// `queue dedupe`: takes out what stands in the queue more than once.
struct QueueDedupeCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "dedupe", abstract: "Remove items whose track stands in the queue already.",
    discussion: """
      Tracks are the same where they are the same part of the same file. The current item stays; of others, the first.

      Example:
        queue dedupe
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let edit = try session.edit(state) { _ in session.services.actions.dedupe() }
    let count = edit.removedCount
    session.remark(
      count == 0 ? "no track is in the queue twice" : "removed \(ItemCount.text(count, "duplicate"))")
  }
}
