public import MusicModel

/// What is asked of a library by all views together.
public struct SearchRequest: Sendable, Hashable {
  /// What is listed.
  public var listing: SearchListing
  /// The query as it is written, or the text that is searched for.
  public var text: String
  /// What narrows it besides.
  public var filters: LibraryFilters
  /// The order of albums and tracks.
  public var order: LibraryOrder

  /// A request; at first all albums.
  public init(
    _ listing: SearchListing = .albums, text: String = "", filters: LibraryFilters = LibraryFilters(),
    order: LibraryOrder = LibraryOrder()
  ) {
    self.listing = listing
    self.text = text
    self.filters = filters
    self.order = order
  }
}
