import ArgumentParser
import MusicLibrary
import MusicModel

/// `tracks`: lists tracks of the library.
struct TracksCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracks", abstract: "List the tracks of the library.",
    discussion: """
      \(ListingRequest.discussion)

      Examples:
        tracks artist:coltrane duration:..3:00
        tracks 'added:7d.. -live' --json
      """)

  @Argument(help: "List the tracks of which this is true alone.")
  var query: [String] = []

  @OptionGroup var order: OrderOptions
  @OptionGroup var options: ListingOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let request = try ListingRequest(query, options, in: session)
    try request.print { window throws(LibraryFault) in
      try request.flow.index.tracks(request.query, order: order.order, window: window)
    } as: { (track: TrackEntry) in
      track
    }
  }
}
