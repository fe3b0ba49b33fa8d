// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
public import PlayerFlow

/// The flow of an open library: the stores, action creators and controllers for scanning and filtering.
public struct LibraryFlow {
  /// The library, for queries.
  public let index: any MusicLibrary
  /// The store with the state of scanning.
  public let library: LibraryStore
  /// Dispatches the user's intents about scanning.
  public let libraryActions: LibraryActionCreator
  /// The store with the filters that narrow listings and searches.
  public let filters: FilterStore
  /// Dispatches the user's changes to the filters.
  public let filterActions: FilterActionCreator
  private let libraryController: LibraryController

  /// Creates a flow from its parts, and retains the controller.
  public init(
    _ index: any MusicLibrary, library: LibraryStore, libraryActions: LibraryActionCreator,
    libraryController: LibraryController, filters: FilterStore, filterActions: FilterActionCreator
  ) {
    self.index = index
    self.library = library
    self.libraryActions = libraryActions
    self.libraryController = libraryController
    self.filters = filters
    self.filterActions = filterActions
  }

  /// Stops scanning, and waits at most `milliseconds` for it to end. Tracks that have been scanned stay in the index.
  package func shutDown(within milliseconds: UInt64) { _ = libraryController.shutDown(within: milliseconds) }
}
