import Flux
import MusicLibrary
import Platform
import QueueFlow
import SystemPackage
import TestSupport

@testable import RemoteControl

/// A server with a library: the music of the fixtures, and stored playlists in a directory of their own.
struct RemoteLibraryRig {
  static let canon = "The Clockwork Consort/Ground and Air"
  static let greensleeves = "Various Artists/Old Tunes, New Friends/01 Greensleeves.ogg"

  let rig: RemoteRig
  let directory: TemporaryDirectory
  let root: FilePath

  /// - Parameters:
  ///   - root: the directory of the library.
  ///   - others: further ones.
  init(
    root: FilePath = Fixture.directory.appending("Music"), others: [FilePath] = [],
    addresses: [ListenAddress] = [],
    queueLimit: Int = 1_000_000
  ) throws {
    directory = try TemporaryDirectory()
    self.root = root
    let index = IndexedLibrary(
      index: try LibraryIndex(directory: directory["index"]), roots: LibraryRoots(root, others),
      // What the tag library does not understand is no sound.
      probe: { _ in nil })
    _ = try index.scan(progress: { _ in }, isCancelled: { false })
    let dispatcher = LibraryDispatcher()
    let library = RemoteLibrary(
      index, store: LibraryStore(dispatcher: dispatcher),
      actions: LibraryActionCreator(dispatcher: dispatcher),
      playlists: directory["lists"])
    rig = try RemoteRig(addresses: addresses, library: library, queueLimit: queueLimit)
  }

  /// The names of the stored playlists' files.
  var files: [String] {
    get throws {
      try DirectoryListing(of: directory["lists"]).entries.map(\.name.string).filter { !$0.hasPrefix(".") }
    }
  }
}
