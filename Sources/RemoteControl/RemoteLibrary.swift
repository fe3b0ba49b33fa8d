public import MusicLibrary
public import QueueFlow
public import SystemPackage

/// The library that clients browse and search.
public struct RemoteLibrary: Sendable {
  /// The library itself, to be asked.
  let index: IndexedLibrary
  /// Publishes how it is read.
  let store: LibraryStore
  /// Says what a client wants of its reading.
  let actions: LibraryActionCreator

  /// Where its stored playlists are; `nil` for where they are by themselves.
  let playlists: FilePath?

  /// The library `index`, with the flow around it.
  public init(
    _ index: IndexedLibrary, store: LibraryStore, actions: LibraryActionCreator, playlists: FilePath? = nil
  ) {
    self.index = index
    self.store = store
    self.actions = actions
    self.playlists = playlists
  }

  /// The number of the reading that goes on, as clients are told it: from 1.
  var jobNumber: UInt64 { store.state.readingCount % 0x7FFF_FFFF + 1 }
}
