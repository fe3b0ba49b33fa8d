// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
public import PlayerFlow

/// The flow around an open library: scanning and searching it.
public struct LibraryFlow {
  /// The library itself, for queries.
  public let index: any MusicLibrary
  /// Publishes the state of scanning.
  public let library: LibraryStore
  /// Dispatches intents about scanning.
  public let libraryActions: LibraryActionCreator
  /// Publishes the search results.
  public let search: SearchStore
  /// Dispatches intents about searching.
  public let searchActions: SearchActionCreator
  private let libraryController: LibraryController
  private let searchController: SearchController

  /// Creates a flow from its parts, which it retains.
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

  /// Stops scanning and searching, waiting at most `milliseconds`; what was scanned stays stored.
  package func shutDown(within milliseconds: UInt64) {
    _ = libraryController.shutDown(within: milliseconds)
    _ = searchController.shutDown(within: milliseconds)
  }
}
