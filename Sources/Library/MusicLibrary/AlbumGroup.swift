/// Candidates that belong together, and by what.
struct AlbumGroup: Sendable {
  /// What holds a group together, and may join it with a group of another directory; names are numbers of a
  /// ``GroupingSource``.
  enum Identity: Hashable, Sendable {
    /// The MusicBrainz id.
    case release(Int)
    /// The artist, folded.
    case artist(Int)
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
    case .release: return MergeKey(identity: identity, title: nil)
    case .artist, .compilation:
      guard members.allSatisfy(\.isTitled) else { return nil }
      return MergeKey(identity: identity, title: first.titleKey)
    }
  }

  /// The identity, and the title where that is part of it.
  struct MergeKey: Hashable, Sendable {
    let identity: Identity
    let title: Int?
  }

  /// The group without tracks that are there in several formats: a group for each copy, by rule 3 of ``AlbumGrouping``.
  func copies(source: GroupingSource) -> [AlbumGroup] {
    guard let format = members.first?.format, members.contains(where: { $0.format != format }) else {
      return [self]
    }
    let formats = members.grouped { $0.format }.sorted { left, right in
      left.members.count != right.members.count
        ? left.members.count > right.members.count : left.key < right.key
    }
    var parts: [(slots: Set<TrackSlot>, members: [AlbumCandidate])] = []
    for format in formats {
      let slots = Set(format.members.map { source.slot(of: $0) })
      let home = parts.firstIndex { part in
        2 * part.slots.intersection(slots).count < min(part.slots.count, slots.count)
      }
      if let home {
        parts[home].slots.formUnion(slots)
        parts[home].members += format.members
      } else {
        parts.append((slots, format.members))
      }
    }
    return parts.map { AlbumGroup(identity: identity, members: $0.members) }
  }
}
