import ArgumentParser
import MusicLibrary
import MusicModel
import QueueFlow
import UnicodeText

/// `queue load`: makes a saved list the queue.
struct QueueLoadCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Make a saved list, or a playlist, the queue.",
    discussion: """
      \(ListOptions.discussion) Entries whose files are not there are said, and stay in the queue: they play when they are back.

      Examples:
        queue load Evening
        queue load --add Evening
        queue load ~/Downloads/mix.m3u
      """)

  @Argument(help: "The list, or the path of a playlist.")
  var name: String

  @Flag(name: .long, help: "Add it at the end of the queue instead.")
  var add = false

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let loaded = try options.lists(in: session).load(name)
    session.tell(loaded.problems)
    let collection = loaded.collection
    if collection.tracks.isEmpty { throw CommandError(.nothingPlayable, "nothing in \(name) can be played") }
    try collection.check(isNotWrittenTo: session.outputFile)
    let edit = try session.edit(state) { _ in
      if add {
        session.services.actions.add(collection, at: .end)
      } else {
        session.services.actions.enqueue(collection, item: nil)
      }
    }
    let count = ItemCount.text(collection.tracks.count, "track")
    if add {
      let positions = PositionText.text(edit.before.items.count..<edit.after.items.count)
      session.remark("added \(count) at \(positions): \(collection.title)".safeForTerminal)
    } else {
      let hint = edit.before.items.isEmpty ? "" : "; \(QueueEdit.undoHint)"
      session.remark("loaded \(count): \(collection.title)\(hint)".safeForTerminal)
    }
  }
}
