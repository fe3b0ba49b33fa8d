import MusicModel

/// Candidates that belong together, and by what.
struct AlbumGroup: Sendable {
  /// What holds a group together, and may join it with a group of another directory.
  enum Identity: Hashable, Sendable {
    /// The MusicBrainz id.
    case release(String)
    /// The artist, folded.
    case artist(String)
    /// The flag.
    case compilation
    /// Only the directory.
    case unknown
  }

  let identity: Identity
  var members: [AlbumCandidate]

  /// What it has in common with the groups it may be joined with; `nil` where it stands alone.
  var mergeKey: MergeKey? {
    guard let first = members.first else { return nil }
    switch identity {
    case .unknown: return nil
    case .release: return MergeKey(identity: identity, title: "")
    case .artist, .compilation:
      guard members.allSatisfy(\.isTitled) else { return nil }
      return MergeKey(identity: identity, title: first.title.matchingKey)
    }
  }

  /// The identity, and the title where that is part of it.
  struct MergeKey: Hashable, Sendable {
    let identity: Identity
    let title: String
  }
}

/// Joins groups of several directories, by rule 3 of ``AlbumGrouping``.
struct GroupMerging {
  private var single: [AlbumGroup] = []
  private var related: [(key: AlbumGroup.MergeKey, groups: [AlbumGroup])] = []
  private var places: [AlbumGroup.MergeKey: Int] = [:]

  /// Adds a group.
  mutating func append(_ group: AlbumGroup) {
    guard let key = group.mergeKey else { return single.append(group) }
    if let place = places[key] {
      related[place].groups.append(group)
    } else {
      places[key] = related.count
      related.append((key, [group]))
    }
  }

  /// The groups, those that are parts of one album joined.
  func groups() -> [AlbumGroup] {
    single + related.flatMap { Self.joined($0.groups) }
  }

  private static func joined(_ groups: [AlbumGroup]) -> [AlbumGroup] {
    guard groups.count > 1, let first = groups.first else { return groups }
    var taken: Set<AlbumCandidate.Place> = []
    for group in groups {
      let places = group.members.compactMap(\.place)
      if case .release = group.identity {} else if places.count < group.members.count { return groups }
      let distinct = Set(places)
      guard taken.isDisjoint(with: distinct) else { return groups }
      taken.formUnion(distinct)
    }
    return [AlbumGroup(identity: first.identity, members: groups.flatMap(\.members))]
  }
}
