import ArgumentParser
import MusicLibrary
import MusicModel
import UnicodeText

/// `queue append`: adds tracks of the queue to a saved list.
struct QueueAppendCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append the queue, or some of its items, to a saved list.",
    discussion: """
      \(ListOptions.discussion) A list that is not there is made. \(ItemRange.help)

      Examples:
        queue append Evening
        queue append Evening .
        queue append Evening 3-7
      """)

  @Argument(help: "The list.")
  var name: String

  @Argument(parsing: .allUnrecognized, help: "Which items. Default: all.")
  var range: [String] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let range = try ItemRange(range.isEmpty ? ["1-"] : range)
    let queue = try session.keptQueue(state)
    let positions = try range.positions(in: queue.items.count, current: queue.currentPosition)
    let tracks = positions.flatMap { $0.map { queue.items[$0].track } }
    let lists = options.lists(in: session)
    let count = try SavedLists.explained { () throws(PlaylistError) in
      do throws(PlaylistError) {
        return try lists.directory.append(tracks.map { PlaylistEntry($0) }, to: name)
      } catch .noList {
        try lists.directory.save(Playlist(entries: tracks.map { PlaylistEntry($0) }), as: name)
        return tracks.count
      }
    }
    session.noteListChange()
    session.remark(
      "appended \(ItemCount.text(tracks.count, "track")): \(name) has \(count)".safeForTerminal)
  }
}
