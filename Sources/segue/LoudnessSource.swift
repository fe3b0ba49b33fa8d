import LibraryIndex
import MusicModel
import Synchronization
import SystemPackage

/// What is known of loudness: by the index, which is opened when it is first asked, or else by the tags.
final class LoudnessSource: Sendable {
  private enum Index {
    case unopened
    case none
    case open(LibraryIndex)
  }

  private let directory: FilePath
  private let index = Mutex(Index.unopened)

  /// What the index in `directory` knows.
  init(directory: FilePath) { self.directory = directory }

  /// What is known of the loudness of `tracks`. Reads the index, and looks at the files.
  func replayGain(of tracks: [Track]) -> [ReplayGainTags] {
    opened?.replayGain(for: tracks) ?? tracks.map(\.replayGain)
  }

  private var opened: LibraryIndex? {
    index.withLock { index in
      if case .unopened = index {
        // Without an index there are still the tags.
        index = (try? LibraryIndex(directory: directory)).map(Index.open) ?? .none
      }
      if case .open(let open) = index { return open }
      return nil
    }
  }
}
