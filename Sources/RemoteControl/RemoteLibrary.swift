public import MusicLibrary
public import QueueFlow

/// The library that clients browse and search.
public struct RemoteLibrary: Sendable {
  /// The library itself, to be asked.
  let index: IndexedLibrary
  /// Publishes how it is read.
  let store: LibraryStore
  /// Says what a client wants of its reading.
  let actions: LibraryActionCreator

  /// The library `index`, with the flow around it.
  public init(_ index: IndexedLibrary, store: LibraryStore, actions: LibraryActionCreator) {
    self.index = index
    self.store = store
    self.actions = actions
  }

  /// The number of the reading that goes on, as clients are told it: from 1.
  var jobNumber: UInt64 { store.state.readingCount % 0x7FFF_FFFF + 1 }
}
