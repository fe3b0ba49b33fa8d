import ArgumentParser
import MusicLibrary
import MusicModel

/// `genres`: lists genres of the library.
struct GenresCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "genres", abstract: "List the genres of the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        genres
        genres year:1990s
      """)

  @Argument(help: "List the genres with a track of which this is true alone.")
  var query: [String] = []

  @OptionGroup var options: ListingOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    try request.print { window throws(LibraryFault) in
      try request.flow.index.genres(request.query, window: window)
    } as: {
      ListedName(kind: .genre, entry: $0)
    }
  }
}
