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
  /// The pictures that clients are fetching.
  let pictures = PictureShelf()

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

  /// The number of the reading that goes on, or is about to, as clients are told it: from 1.
  var jobNumber: UInt64 {
    let state = store.state
    return Self.number(state.readingCount + (state.running == nil ? 1 : 0))
  }

  /// The number of the reading that was asked for last.
  var requestedJobNumber: UInt64 {
    let state = store.state
    return Self.number(state.readingCount + (state.waiting == nil ? 0 : 1))
  }

  private static func number(_ count: UInt64) -> UInt64 { max(1, count % 0x8000_0000) }
}
