// SPDX-License-Identifier: GPL-3.0-or-later

/// The candidates in one directory that have the same album title.
struct AlbumBucket {
  private var members: [AlbumCandidate] = []
  private let source: GroupingSource

  /// Returns the buckets of all tracks, in the order of their first tracks.
  static func buckets(of source: GroupingSource) -> [AlbumBucket] {
    var bucketIndexes: [Key: Int] = [:]
    var last: (key: Key, bucketIndex: Int)?
    var buckets: [AlbumBucket] = []
    for index in source.tracks.indices {
      let candidate = source.candidate(index)
      let key = Key(directory: candidate.directory, title: candidate.titleKey)
      if let last, last.key == key {
        buckets[last.bucketIndex].members.append(candidate)
      } else if let bucketIndex = bucketIndexes[key] {
        buckets[bucketIndex].members.append(candidate)
        last = (key, bucketIndex)
      } else {
        bucketIndexes[key] = buckets.count
        last = (key, buckets.count)
        buckets.append(AlbumBucket(members: [candidate], source: source))
      }
    }
    return buckets
  }

  private struct Key: Hashable {
    let directory: Int
    let title: Int
  }

  /// Splits the members into groups, according to rule 2 of ``AlbumGrouping``.
  func groups() -> [AlbumGroup] {
    var members = members
    FileNumbers.fill(&members, source: source)
    let (tagged, loose) = Self.separated(members)
    return (tagged.isEmpty ? [] : groupsByRelease(tagged)) + (loose.isEmpty ? [] : looseGroups(loose))
  }

  // MARK: Tagged

  /// Separates the members whose tags name an album, and the untagged members that join them, from all others.
  private static func separated(
    _ members: [AlbumCandidate]
  ) -> (tagged: [AlbumCandidate], loose: [AlbumCandidate]) {
    if members.allSatisfy(\.isTagged) { return (members, []) }
    let tagged = members.filter(\.isTagged)
    guard !tagged.isEmpty else { return ([], members) }
    let artists = Set(tagged.compactMap(\.creditedArtist))
    let positions = Set(tagged.compactMap(\.position))
    func joins(_ member: AlbumCandidate) -> Bool {
      let hasSameArtist = artists.isEmpty || member.creditedArtist.map { artists.contains($0) } ?? true
      return hasSameArtist && member.position.map { !positions.contains($0) } ?? true
    }
    return (
      members.filter { $0.isTagged || joins($0) }, members.filter { !$0.isTagged && !joins($0) }
    )
  }

  private func groupsByRelease(_ members: [AlbumCandidate]) -> [AlbumGroup] {
    guard members.contains(where: { $0.release != nil }) else { return groupsByAlbumArtist(members) }
    var byRelease = members.filter { $0.release != nil }.grouped { $0.release ?? -1 }
    let indexByRelease = Dictionary(uniqueKeysWithValues: byRelease.enumerated().map { ($1.key, $0) })
    let releasesByArtist = ReleasesByArtist(members)
    var others: [AlbumCandidate] = []
    for member in members where member.release == nil {
      if let index = releasesByArtist.release(for: member).flatMap({ indexByRelease[$0] }) {
        byRelease[index].members.append(member)
      } else {
        others.append(member)
      }
    }
    let released = byRelease.map { AlbumGroup(identity: .release($0.key), members: $0.members) }
    return others.isEmpty ? released : released + groupsByAlbumArtist(others)
  }

  private func groupsByAlbumArtist(_ members: [AlbumCandidate]) -> [AlbumGroup] {
    guard let first = members.first(where: { $0.albumArtist != nil })?.albumArtist else {
      return groupsByArtist(members)
    }
    if members.allSatisfy({ $0.albumArtist == nil || $0.albumArtist == first }) {
      return [AlbumGroup(identity: .artist(first), members: members)]
    }
    if members.allSatisfy({ $0.albumArtist == nil || $0.isCompilation }) {
      return [AlbumGroup(identity: .compilation, members: members)]
    }
    var byAlbumArtist = members.filter { $0.albumArtist != nil }.grouped { $0.albumArtist ?? -1 }
    var others: [AlbumCandidate] = []
    let indexByArtist = Dictionary(uniqueKeysWithValues: byAlbumArtist.enumerated().map { ($1.key, $0) })
    for member in members where member.albumArtist == nil {
      if let index = member.artist.flatMap({ indexByArtist[$0] }) {
        byAlbumArtist[index].members.append(member)
      } else {
        others.append(member)
      }
    }
    return byAlbumArtist.map { AlbumGroup(identity: .artist($0.key), members: $0.members) } + groupsByArtist(others)
  }

  private func groupsByArtist(_ members: [AlbumCandidate]) -> [AlbumGroup] {
    guard !members.isEmpty else { return [] }
    if members.contains(where: \.isCompilation) {
      return [AlbumGroup(identity: .compilation, members: members)]
    }
    if let artist = source.commonArtistKey(of: members) {
      return [AlbumGroup(identity: .artist(artist), members: members)]
    }
    let artists = members.filter { $0.artist != nil }.grouped { $0.artist ?? -1 }
    guard artists.count > 1, Self.areSeveralAlbums(artists.map(\.members)) else {
      return [AlbumGroup(identity: .unknown, members: members)]
    }
    return Self.groups(artists, withoutArtist: members.filter { $0.artist == nil })
  }

  // MARK: Loose

  /// Groups tracks that have only their directory in common. They form one album, unless the directory contains
  /// complete albums by several artists.
  private func looseGroups(_ members: [AlbumCandidate]) -> [AlbumGroup] {
    let artists = members.filter { $0.creditedArtist != nil }.grouped { $0.creditedArtist ?? -1 }
    let areComplete = artists.allSatisfy { artist in
      let positions = artist.members.compactMap(\.position)
      return positions.count > 1 && positions.count == artist.members.count
        && Set(positions).count == positions.count
    }
    guard artists.count > 1, areComplete, Self.areSeveralAlbums(artists.map(\.members)) else {
      return [AlbumGroup(identity: .unknown, members: members)]
    }
    return Self.groups(artists, withoutArtist: members.filter { $0.creditedArtist == nil })
  }

  private static func groups(
    _ artists: [(key: Int, members: [AlbumCandidate])], withoutArtist: [AlbumCandidate]
  ) -> [AlbumGroup] {
    artists.map { AlbumGroup(identity: .artist($0.key), members: $0.members) }
      + (withoutArtist.isEmpty ? [] : [AlbumGroup(identity: .unknown, members: withoutArtist)])
  }

  /// Whether every group contains the lowest track number, which shows that each group is an album of its own.
  private static func areSeveralAlbums(_ groups: [[AlbumCandidate]]) -> Bool {
    let numbers = groups.map { $0.compactMap(\.number) }
    guard let lowest = numbers.joined().min() else { return false }
    return numbers.allSatisfy { $0.contains(lowest) }
  }

  /// The releases of each artist, to which tracks without a release ID can be assigned.
  private struct ReleasesByArtist {
    private var byArtist: [Int: Set<Int>] = [:]
    private var all: Set<Int> = []

    init(_ members: [AlbumCandidate]) {
      for member in members {
        guard let release = member.release else { continue }
        all.insert(release)
        if let artist = member.creditedArtist { byArtist[artist, default: []].insert(release) }
      }
    }

    func release(for member: AlbumCandidate) -> Int? {
      let releases = member.creditedArtist.map { byArtist[$0] ?? [] } ?? all
      return releases.count == 1 ? releases.first : nil
    }
  }
}

extension AlbumCandidate {
  /// Whether the candidate has an album title or a release of its own, in addition to its directory.
  fileprivate var isTagged: Bool { isTitled || release != nil }
}

extension Array {
  /// Groups the elements by key, in the order of the first element of each key.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, members: [Element])] {
    var indexByKey: [Key: Int] = [:]
    var groups: [(key: Key, members: [Element])] = []
    for element in self {
      let key = key(element)
      if let index = indexByKey[key] {
        groups[index].members.append(element)
      } else {
        indexByKey[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}
