// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Gives back to tracks, at the end of a scan, what was known of them before their files were missing, and records
/// where files were moved.
struct TrackReunion {
  let plan: ScanPlan
  let rows: TrackRows
  let tracks: StoredTracks
  let memory: TrackMemory

  /// Gives the new tracks, whose IDs are above `last`, the IDs of the missing tracks that they are, lets copies take
  /// over from originals, and reports what is still missing. `removed` contains the tracks that this scan found
  /// missing. Those with IDs above `added` count as added so far.
  func run(
    _ removed: [Int64: StoredTracks.Row], newTracksAfter last: Int64, addedAfter added: Int64,
    _ summary: inout ScanSummary, _ dirty: inout DirtyGroups
  ) throws {
    let found = try reunite(removed, newTracksAfter: last, addedAfter: added, &summary, &dirty)
    var previous: RelativePath?
    for (id, row) in removed.sorted(by: { $0.key < $1.key }) where !found.contains(id) {
      summary.missingCount += 1
      // The measurement of a file whose name belongs to another one has a name that no file can have.
      if try !takeOver(from: id, row, &dirty), row.isDisplaced { try tracks.deleteLoudness(of: row.path) }
      // Such a file is not reported, and a file with several tracks is reported only once.
      if !row.isDisplaced, row.path != previous { plan.report(.missing, row.path) }
      previous = row.path
      // What only an interrupted scan has seen would later be one candidate too many.
      if id > last, try !memory.hasStickers(id) { try memory.forget([id]) }
    }
  }

  /// Records and reports that the file of the track `id` was moved. `former` is absolute.
  func recordMove(of id: Int64, from former: [UInt8], to path: RelativePath) throws {
    try memory.recordMove(of: id, from: former, to: path.absolute(in: plan.root))
    plan.report(.moved(from: FilePath(systemBytes: former)), path)
  }

  /// Returns the IDs of the missing tracks that were found again.
  private func reunite(
    _ removed: [Int64: StoredTracks.Row], newTracksAfter last: Int64, addedAfter added: Int64,
    _ summary: inout ScanSummary, _ dirty: inout DirtyGroups
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for pair in try memory.matches(of: removed, newTracksAfter: last) {
      guard let present = try tracks.row(pair.new), let former = try memory.take(pair.missing) else { continue }
      try rows.removeWords(of: pair.new)
      if let album = present.album { dirty.albums.insert(album) }
      let row = removed[pair.missing]
      try tracks.reidentify(pair.new, as: pair.missing, added: former.added, album: row?.album)
      let path = present.path.absolute(in: plan.root)
      try tracks.rename(row?.path.absolute(in: plan.root) ?? former.path, to: path)
      dirty.keys.insert(present.key)
      found.insert(pair.missing)
      // A file that is at its old path again counts as added.
      if former.path == path { continue }
      try recordMove(of: pair.missing, from: former.path, to: present.path)
      if pair.new > added { summary.addedCount -= 1 } else { summary.unchangedCount -= 1 }
      summary.movedCount += 1
    }
    return found
  }

  /// Lets the copy of a track that this scan found missing take over from it. Returns whether there is one.
  private func takeOver(from id: Int64, _ row: StoredTracks.Row, _ dirty: inout DirtyGroups) throws -> Bool {
    guard let copy = try memory.copy(of: id), let former = try memory.take(id) else { return false }
    try tracks.inherit(copy.id, from: id)
    if copy.library == plan.library, let present = try tracks.row(copy.id) {
      let added = min(former.added, present.added)
      try tracks.reidentify(copy.id, as: copy.id, added: added, album: present.album)
      dirty.keys.insert(present.key)
    }
    try tracks.rename(row.path.absolute(in: plan.root), to: copy.path)
    try memory.recordMove(of: id, from: former.path, to: copy.path)
    return true
  }
}
