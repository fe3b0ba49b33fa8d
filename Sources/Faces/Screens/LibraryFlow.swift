public import MusicModel
public import PlayerFlow

/// The flow around an open library: how it is read, and what is listed of it.
public struct LibraryFlow {
  /// The library itself, to be asked.
  public let index: any MusicLibrary
  /// Publishes how it is read.
  public let library: LibraryStore
  /// Says what is wanted of its reading.
  public let libraryActions: LibraryActionCreator
  /// Publishes what is listed.
  public let search: SearchStore
  /// Says what is wanted of listings.
  public let searchActions: SearchActionCreator
  private let libraryController: LibraryController
  private let searchController: SearchController

  /// A flow of these parts, which it keeps alive.
  public init(
    _ index: any MusicLibrary, library: LibraryStore, libraryActions: LibraryActionCreator,
    libraryController: LibraryController,
    search: SearchStore, searchActions: SearchActionCreator, searchController: SearchController
  ) {
    self.index = index
    self.library = library
    self.libraryActions = libraryActions
    self.libraryController = libraryController
    self.search = search
    self.searchActions = searchActions
    self.searchController = searchController
  }

  /// Ends reading and asking; what was read is kept. Waits at most so long.
  package func shutDown(within milliseconds: UInt64) {
    _ = libraryController.shutDown(within: milliseconds)
    _ = searchController.shutDown(within: milliseconds)
  }
}
