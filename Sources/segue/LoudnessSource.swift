// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Synchronization
import SystemPackage

/// Provides ReplayGain values: from the index, which is opened on first use, or otherwise from the tags of the files.
final class LoudnessSource: Sendable {
  private enum Index {
    case unopened
    case none
    case open(LibraryIndex)
  }

  private let directory: FilePath
  private let index = Mutex(Index.unopened)

  /// Creates a source that uses the index in `directory`.
  init(directory: FilePath) { self.directory = directory }

  /// Returns the ReplayGain values of `tracks`. Blocks while the index is read and the files are checked for changes.
  func replayGain(of tracks: [Track]) -> [ReplayGainTags] {
    opened?.replayGain(for: tracks) ?? tracks.map(\.replayGain)
  }

  private var opened: LibraryIndex? {
    index.withLock { index in
      if case .unopened = index {
        // If the index cannot be opened, the tags are used.
        index = (try? LibraryIndex(directory: directory)).map(Index.open) ?? .none
      }
      if case .open(let open) = index { return open }
      return nil
    }
  }
}
