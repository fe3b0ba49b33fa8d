// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex

/// Decides which albums must keep their old contents until everything has been read, because some of their tracks have
/// changed and it is not known yet where all of them belong.
///
/// Until then, queries see each album as it was or as it will be, never a part of it.
final class AlbumDeferral {
  private let readsUnchanged: Bool
  private let tracks: IndexStatement
  /// The tracks that have been read so far.
  private var readTracks = TrackSet()
  /// The albums that must keep their contents for now.
  private var albums: Set<Int64> = []

  init(_ database: Database, plan: ScanPlan) {
    readsUnchanged = plan.readsUnchanged
    tracks = IndexStatement(database, "SELECT id FROM track WHERE album = ?")
  }

  /// Records that a track in the index has been read.
  func markRead(_ id: Int64) {
    if readsUnchanged { readTracks.insert(id) }
  }

  /// Returns, for each group in `found`, whether it must wait until everything has been read: because it is too large
  /// for now, or because it has tracks of an album that must keep its contents.
  func mustWait(_ found: [RelatedTrackFinder.RelatedGroup], _ pending: [PendingTrack]) throws -> [Bool] {
    var areWaiting = found.map { $0.members == nil }
    // A first scan has no such albums.
    if albums.isEmpty, !pending.contains(where: { $0.former != nil }) { return areWaiting }
    let former = found.map { group in
      Set(group.pending.lazy.compactMap { pending[$0].former?.placement.album })
    }
    for (group, isWaiting) in zip(former, areWaiting) {
      for album in group where try isWaiting || isUnread(album) { albums.insert(album) }
    }
    var isStable = albums.isEmpty
    while !isStable {
      isStable = true
      for (index, group) in found.enumerated() where !areWaiting[index] {
        guard group.members?.contains(where: { $0.formerAlbum.map(albums.contains) ?? false }) == true
        else { continue }
        areWaiting[index] = true
        isStable = false
        albums.formUnion(former[index])
      }
    }
    return areWaiting
  }

  /// Whether an album has tracks that have not been read yet, in a scan that reads unchanged files again.
  private func isUnread(_ album: Int64) throws -> Bool {
    guard readsUnchanged, !albums.contains(album) else { return false }
    tracks.bind(album)
    defer { tracks.reset() }
    while try tracks.step() {
      if !readTracks.contains(tracks.integer(0)) { return true }
    }
    return false
  }
}
