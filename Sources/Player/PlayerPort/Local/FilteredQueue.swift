// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Synchronization

/// The positions of the queue that remain with the filter that was used last. Safe to use from any thread.
final class FilteredQueue: Sendable {
  private let known = Mutex<(version: UInt64, filter: RowFilter, positions: [Int])?>(nil)

  /// Returns the positions of the items of `queue` that remain with `filter`.
  func positions(in queue: PlayQueue, _ filter: RowFilter) -> [Int] {
    let version = queue.itemsVersion
    if let known = known.withLock(\.self), known.version == version, known.filter == filter { return known.positions }
    let positions = queue.items.indices.filter { position in
      let track = queue.items[position].track
      return filter.matches([track.title, track.artistCredit, track.album ?? ""])
    }
    known.withLock { $0 = (version, filter, positions) }
    return positions
  }
}
