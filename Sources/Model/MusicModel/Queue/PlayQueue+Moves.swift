// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

extension PlayQueue {
  /// Gives the tracks whose files were moved their present paths, in the contents and in the history.
  mutating func follow(_ moves: FileMoves) {
    guard moves.lastScan > lastScan else { return }
    lastScan = moves.lastScan
    let changed = table.pages.following(moves)
    if changed.isEmpty { return }
    table.replace(changed)
    log.append(0..<contents.items.count, version: version + 1)
  }
}

extension StoredQueue {
  /// Returns the queue with the present paths of the files that were moved.
  public func following(_ moves: FileMoves) -> StoredQueue {
    guard moves.lastScan > lastScan else { return self }
    var queue = self
    queue.lastScan = moves.lastScan
    queue.tracks.merge(tracks.following(moves)) { $1 }
    return queue
  }
}

extension [UInt32: QueuePage] {
  /// Returns the pages of tracks with files that were moved, with their present paths.
  fileprivate func following(_ moves: FileMoves) -> [UInt32: QueuePage] {
    if moves.isEmpty { return [:] }
    return compactMapValues { page in
      guard let tracks = page.tracks,
        (0..<tracks.count).contains(where: { index in
          let path = FilePath(bytes: tracks.pathBytes(index), [])
          return moves.present(path) != path
        })
      else { return nil }
      return page.changingTracks { track in
        var track = track
        track.path = moves.present(track.path)
        return track
      }
    }
  }
}
