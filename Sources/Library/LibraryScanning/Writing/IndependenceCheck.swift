// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Tagging

/// Decides which parts of a first scan are independent: the grouping of no other track depends on their tracks, whether
/// that other track was read before or is in the same batch.
///
/// It stores a hash of each group key and release that it has seen. A collision only costs time, because the parts then
/// count as dependent.
struct IndependenceCheck {
  private var seen: Set<Int> = []

  /// Returns, for each range of `tracks`, whether it is independent of all other tracks. Adds the tracks to those that
  /// have been seen.
  mutating func areIndependent(_ parts: [Range<Int>], of tracks: [PendingTrack]) -> [Bool] {
    var areIndependent = Array(repeating: true, count: parts.count)
    var owners: [Int: Int] = [:]
    for (number, part) in parts.enumerated() {
      for hash in hashes(of: tracks[part]) {
        let owner = owners[hash] ?? number
        if owner != number {
          areIndependent[owner] = false
          areIndependent[number] = false
        } else if seen.contains(hash) {
          areIndependent[number] = false
        }
        owners[hash] = owner
      }
    }
    seen.formUnion(owners.keys)
    return areIndependent
  }

  /// Returns the hashes of the group keys and releases of the tracks, without repeating those of consecutive tracks.
  private func hashes(of tracks: ArraySlice<PendingTrack>) -> [Int] {
    var hashes: [Int] = []
    var lastKey: ByteText?
    var lastRelease: ByteText?
    for track in tracks {
      let key = ByteText(track.record.groupKey)
      if key != lastKey {
        lastKey = key
        hashes.append(key.hashValue)
      }
      guard let id = track.record.track.musicBrainzAlbumID else { continue }
      let release = ByteText(id)
      if release != lastRelease {
        lastRelease = release
        hashes.append(~release.hashValue)
      }
    }
    return hashes
  }
}
