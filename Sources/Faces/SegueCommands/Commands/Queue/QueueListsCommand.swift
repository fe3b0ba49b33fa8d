import ArgumentParser
import MusicLibrary
import MusicModel
import Platform
import UnicodeText

/// `queue lists`: lists the saved lists, or what is in one.
struct QueueListsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "List the saved lists, or the tracks of one.",
    discussion: """
      \(ListOptions.discussion)

      Examples:
        queue lists
        queue lists Evening
        queue lists --json
      """)

  @Argument(help: "List the tracks of this one.")
  var name: String?

  @OptionGroup var window: WindowOptions
  @OptionGroup var options: ListOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let lists = options.lists(in: session)
    guard let name else {
      let all = try SavedLists.explained { () throws(PlaylistError) in try lists.directory.lists() }
      if all.isEmpty, !window.json, session.manner.isForPeople {
        return session.remark("no list is saved in \(lists.directory.path)".safeForTerminal)
      }
      return try print(all, in: session)
    }
    let loaded = try lists.load(name)
    let missing = Set(loaded.problems.compactMap(\.path))
    try print(
      loaded.collection.tracks.enumerated().map { position, track in
        ListedTrack(position: position, track: track, isGone: missing.contains(track.path))
      }, in: session)
  }

  private func print<Entry: ListedEntry>(_ entries: [Entry], in session: Session) throws(CommandError) {
    let printer = ListingPrinter<Entry>(
      session, isJSON: window.json, mayPage: !window.noPager, widest: entries.suffix(1))
    _ = try printer.print(Array(entries.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max)))
    try printer.finish()
  }
}
