import ArgumentParser
import MusicLibrary
import UnicodeText

/// `queue delete`: removes a saved list.
struct QueueDeleteCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a saved list.",
    discussion: """
      The queue and the music stay; it cannot be undone. (`queue remove` takes items out of the queue.)

      Example:
        queue delete Evening
      """)

  @Argument(help: "The list.")
  var name: String

  @OptionGroup var options: ListOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let directory = options.lists(in: session).directory
    let list = try SavedLists.explained { () throws(PlaylistError) in
      let list = try directory.find(name)
      try directory.remove(name)
      return list
    }
    session.noteListChange()
    session.remark("deleted the list \(list.name)".safeForTerminal)
  }
}
