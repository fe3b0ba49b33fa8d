import GRDB
import LibraryIndex

/// Which albums stay as they are until everything is read: those of which some tracks are others already, while it
/// cannot be decided yet what becomes of all of them.
///
/// So who asks meanwhile sees each album as it was or as it will be, and never a part of it.
final class AlbumDeferral {
  private let readsUnchanged: Bool
  private let tracks: LateStatement
  /// The tracks that were read.
  private var read = TrackSet()
  private var albums: Set<Int64> = []

  init(_ database: Database, plan: ScanPlan) {
    readsUnchanged = plan.readsUnchanged
    tracks = LateStatement(database, "SELECT id FROM track WHERE album = ?")
  }

  /// Says that a track was read that the index held.
  func see(_ id: Int64) {
    if readsUnchanged { read.insert(id) }
  }

  /// Which of the groups in `found` are decided when everything is read: those that are too large by now, and those
  /// with tracks of an album that stays as it is.
  func waiting(_ found: [GroupClosure.Found], _ pending: [PendingTrack]) throws -> [Bool] {
    var areWaiting = found.map { $0.members == nil }
    // Of a first scan.
    if albums.isEmpty, !pending.contains(where: { $0.former != nil }) { return areWaiting }
    let former = found.map { group in
      Set(group.pending.lazy.compactMap { pending[$0].former?.placement.album })
    }
    for (group, isWaiting) in zip(former, areWaiting) {
      for album in group where try isWaiting || isUnread(album) { albums.insert(album) }
    }
    var isSettled = albums.isEmpty
    while !isSettled {
      isSettled = true
      for (index, group) in found.enumerated() where !areWaiting[index] {
        guard group.members?.contains(where: { $0.formerAlbum.map(albums.contains) ?? false }) == true
        else { continue }
        areWaiting[index] = true
        isSettled = false
        albums.formUnion(former[index])
      }
    }
    return areWaiting
  }

  /// Whether an album has tracks that will be read, or may be.
  private func isUnread(_ album: Int64) throws -> Bool {
    guard readsUnchanged, !albums.contains(album) else { return false }
    let tracks = try tracks.get()
    tracks.bind(album)
    defer { tracks.reset() }
    while try tracks.step() {
      if !read.contains(tracks.integer(0)) { return true }
    }
    return false
  }
}
