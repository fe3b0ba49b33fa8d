// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
public import PlayerFlow

/// The flow of an open library: the stores, action creators and controllers for scanning and searching.
public struct LibraryFlow {
  /// The library, for queries.
  public let index: any MusicLibrary
  /// The store with the state of scanning.
  public let library: LibraryStore
  /// Dispatches the user's intents about scanning.
  public let libraryActions: LibraryActionCreator
  /// The store with the search results.
  public let search: SearchStore
  /// Dispatches the user's intents about searching.
  public let searchActions: SearchActionCreator
  private let libraryController: LibraryController
  private let searchController: SearchController

  /// Creates a flow from its parts, and retains the controllers.
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

  /// Stops scanning and searching, and waits at most `milliseconds` for each to end. Tracks that have been scanned stay
  /// in the index.
  package func shutDown(within milliseconds: UInt64) {
    _ = libraryController.shutDown(within: milliseconds)
    _ = searchController.shutDown(within: milliseconds)
  }
}
