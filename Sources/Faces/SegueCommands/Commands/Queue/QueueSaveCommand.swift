import ArgumentParser
import MusicModel
import UnicodeText

/// `queue save`: keeps the queue as a list.
struct QueueSaveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the queue as a list.",
    discussion: """
      \(ListOptions.discussion) NAME with a slash in it is the path of a file; the suffix says the format.

      Examples:
        queue save Evening
        queue save --force Evening
        queue save ~/evening.xspf
      """)

  @Argument(help: "What the list is called.")
  var name: String

  @Flag(name: .long, help: "Replace a list of that name.")
  var force = false

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let queue = try session.keptQueue(state)
    if queue.items.isEmpty { throw CommandError(.notFound, "the queue is empty: there is nothing to save") }
    try options.lists(in: session).save(queue.items.map(\.track), as: name, replaces: force)
    session.noteListChange()
    session.remark("saved \(ItemCount.text(queue.items.count, "track")): \(name)".safeForTerminal)
  }
}
