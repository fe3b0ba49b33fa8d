import ArgumentParser
import MusicLibrary
import MusicModel

/// `albums`: lists albums of the library.
struct AlbumsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums", abstract: "List the albums of the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        albums
        albums genre:jazz year:1950s
        albums --sort added --reverse --limit 10
      """)

  @Argument(help: "List the albums with a track of which this is true alone.")
  var query: [String] = []

  @OptionGroup var order: OrderOptions
  @OptionGroup var options: ListingOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    try request.print { window throws(LibraryFault) in
      try request.flow.index.albums(request.query, order: order.order, window: window)
    } as: { (album: AlbumEntry) in
      album
    }
  }
}
