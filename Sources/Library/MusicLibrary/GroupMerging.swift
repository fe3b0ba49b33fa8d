/// Joins groups of several directories, by rule 4 of ``AlbumGrouping``.
struct GroupMerging {
  private let source: GroupingSource
  private var single: [AlbumGroup] = []
  private var related: [[AlbumGroup]] = []
  private var places: [AlbumGroup.MergeKey: Int] = [:]

  /// No groups yet.
  init(source: GroupingSource) {
    self.source = source
  }

  /// Adds a group.
  mutating func append(_ group: AlbumGroup) {
    guard let key = group.mergeKey else { return single.append(group) }
    if let place = places[key] {
      related[place].append(group)
    } else {
      places[key] = related.count
      related.append([group])
    }
  }

  /// The groups, those that are parts of one album joined.
  func groups() -> [AlbumGroup] {
    var groups = single
    for candidates in related { groups += joined(candidates) }
    return groups
  }

  private func joined(_ groups: [AlbumGroup]) -> [AlbumGroup] {
    guard groups.count > 1, let first = groups.first else { return groups }
    if areParts(groups) {
      return [AlbumGroup(identity: first.identity, members: groups.flatMap(\.members))]
    }
    // Of several copies, each may be in several directories.
    let copies = groups.grouped { group in Set(group.members.map(\.format)) }
    guard copies.count > 1 else { return groups }
    return copies.flatMap { copy in
      copy.members.count > 1 && areParts(copy.members)
        ? [AlbumGroup(identity: first.identity, members: copy.members.flatMap(\.members))] : copy.members
    }
  }

  private func areParts(_ groups: [AlbumGroup]) -> Bool {
    var taken: Set<TrackSlot> = []
    for group in groups {
      if case .release = group.identity {
      } else if group.members.contains(where: { $0.number == nil }) {
        return false
      }
      let slots = Set(group.members.map { source.slot(of: $0) })
      guard taken.isDisjoint(with: slots) else { return false }
      taken.formUnion(slots)
    }
    return true
  }
}
