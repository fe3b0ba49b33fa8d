/// Which tracks turned up under other names than theirs: each is one file's alone.
final class TrackClaims {
  private let tracks: StoredTracks
  private var claimed: Set<Int64> = []

  /// No track has turned up yet.
  init(_ tracks: StoredTracks) { self.tracks = tracks }

  /// Whether a track has turned up, and so is not gone.
  func contains(_ id: Int64) -> Bool { claimed.contains(id) }

  /// Says that tracks have turned up.
  func insert(_ ids: [Int64]) { claimed.formUnion(ids) }

  /// Which track a file is, after others may have laid claim to the same one; makes room for its name.
  func resolve(
    _ identity: TrackIdentity, _ visit: DirectoryVisit, _ name: [UInt8]
  ) throws -> TrackIdentity {
    // What was known may have been moved elsewhere since.
    if case .known(let id) = identity, claimed.contains(id) { return .new }
    guard case .moved(let id, let displaced) = identity else { return identity }
    if claimed.insert(id).inserted {
      if let displaced, let directory = visit.id { try tracks.park(displaced, directory, visit.path, name) }
      return identity
    }
    guard let displaced, claimed.insert(displaced).inserted else { return .new }
    return .known(displaced)
  }
}
