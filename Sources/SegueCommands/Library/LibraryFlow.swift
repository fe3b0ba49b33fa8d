public import QueueFlow

/// The flow around an open library: how it is read, and what is listed of it.
public struct LibraryFlow {
  /// Publishes how it is read.
  public let library: LibraryStore
  /// Says what is wanted of its reading.
  public let libraryActions: LibraryActionCreator
  /// Publishes what is listed.
  public let search: SearchStore
  /// Says what is wanted of listings.
  public let searchActions: SearchActionCreator
  /// How texts become queries.
  public let language: QueryLanguage
  private let libraryController: LibraryController
  private let searchController: SearchController

  /// A flow of these parts, which it keeps alive.
  public init(
    library: LibraryStore, libraryActions: LibraryActionCreator, libraryController: LibraryController,
    search: SearchStore, searchActions: SearchActionCreator, searchController: SearchController,
    language: QueryLanguage
  ) {
    self.library = library
    self.libraryActions = libraryActions
    self.libraryController = libraryController
    self.search = search
    self.searchActions = searchActions
    self.searchController = searchController
    self.language = language
  }
}
