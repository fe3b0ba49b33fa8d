import ArgumentParser
import MusicLibrary
import MusicModel

/// `artists`: lists artists of the library.
struct ArtistsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "artists", abstract: "List the artists of the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        artists
        artists genre:jazz
      """)

  @Argument(help: "List the artists with a track of which this is true alone.")
  var query: [String] = []

  @OptionGroup var options: ListingOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    try request.print { window throws(LibraryFault) in
      try request.flow.index.artists(request.query, window: window)
    } as: {
      ListedName(kind: .artist, entry: $0)
    }
  }
}
