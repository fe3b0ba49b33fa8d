/// Groups of tracks as a snapshot holds them: albums, artists or genres, in their order, each with its tracks.
struct SnapshotGroups {
  private var ids: SnapshotArray
  private var ends: SnapshotArray
  private var tracks: SnapshotArray

  /// Those of ``SnapshotName/groups(_:)``.
  init(_ snapshot: LibrarySnapshot, _ names: (ids: String, ends: String, tracks: String)) {
    ids = SnapshotArray(snapshot, names.ids)
    ends = SnapshotArray(snapshot, names.ends)
    tracks = SnapshotArray(snapshot, names.tracks)
  }

  /// Gives the tracks of the group at a place that are in `wanted`; `false` where there is no such place, or `body` has
  /// enough.
  mutating func forEach(
    at place: Int, in wanted: Narrowing, _ body: (_ track: Int64, _ group: Int64) throws -> SnapshotWalk.Next
  ) throws -> Bool {
    guard let end = try ends.value(at: place) else { return false }
    var position = place == 0 ? 0 : Int(try ends.value(at: place - 1) ?? 0)
    while position < end, let track = try tracks.value(at: position) {
      position += 1
      guard wanted.contains(Int64(track)), let id = try ids.value(at: place) else { continue }
      switch try body(Int64(track), Int64(id)) {
      case .end: return false
      case .group: return true
      case .track: break
      }
    }
    return true
  }
}
