import MusicModel
import SystemPackage
import UnicodeText

/// The candidates of one title in one directory.
struct AlbumBucket {
  private var members: [AlbumCandidate] = []

  /// The buckets of `tracks`, in the order in which they begin.
  static func buckets(of tracks: [Track]) -> [AlbumBucket] {
    var directories: [FilePath: AlbumDirectory] = [:]
    var places: [Key: Int] = [:]
    var buckets: [AlbumBucket] = []
    for track in tracks {
      let path = track.path.removingLastComponent()
      let directory = directories[path] ?? AlbumDirectory(path)
      directories[path] = directory
      let candidate = directory.candidate(track)
      let key = Key(directory: directory.path, title: candidate.title.matchingKey)
      if let place = places[key] {
        buckets[place].members.append(candidate)
      } else {
        places[key] = buckets.count
        buckets.append(AlbumBucket(members: [candidate]))
      }
    }
    return buckets
  }

  private struct Key: Hashable {
    let directory: FilePath
    let title: String
  }

  /// The groups that the members fall into, by rule 2 of ``AlbumGrouping``.
  func groups() -> [AlbumGroup] {
    var groups: [AlbumGroup] = []
    var others = members
    let released = members.filter { $0.track.musicBrainzAlbumID != nil }
    if !released.isEmpty {
      var byRelease = released.grouped { $0.track.musicBrainzAlbumID ?? "" }
      let places = Dictionary(uniqueKeysWithValues: byRelease.enumerated().map { ($1.key, $0) })
      let homes = Homes(released)
      others = []
      for member in members where member.track.musicBrainzAlbumID == nil {
        if let place = homes.release(for: member).flatMap({ places[$0] }) {
          byRelease[place].members.append(member)
        } else {
          others.append(member)
        }
      }
      groups += byRelease.map { AlbumGroup(identity: .release($0.key), members: $0.members) }
    }
    return groups + Self.groupsByAlbumArtist(others)
  }

  private static func groupsByAlbumArtist(_ members: [AlbumCandidate]) -> [AlbumGroup] {
    var named = members.filter { $0.albumArtistKey != nil }.grouped { $0.albumArtistKey ?? "" }
    guard !named.isEmpty else { return groupsByArtist(members) }
    if named.count > 1, members.allSatisfy({ $0.albumArtistKey == nil || $0.track.isCompilation }) {
      return [AlbumGroup(identity: .compilation, members: members)]
    }
    var others: [AlbumCandidate] = []
    let indices = Dictionary(uniqueKeysWithValues: named.enumerated().map { ($1.key, $0) })
    for member in members where member.albumArtistKey == nil {
      if let index = named.count == 1 ? 0 : member.artistKey.flatMap({ indices[$0] }) {
        named[index].members.append(member)
      } else {
        others.append(member)
      }
    }
    return named.map { AlbumGroup(identity: .artist($0.key), members: $0.members) } + groupsByArtist(others)
  }

  private static func groupsByArtist(_ members: [AlbumCandidate]) -> [AlbumGroup] {
    guard !members.isEmpty else { return [] }
    if members.contains(where: \.track.isCompilation) {
      return [AlbumGroup(identity: .compilation, members: members)]
    }
    let artists = members.filter { $0.artistKey != nil }.grouped { $0.artistKey ?? "" }
    if let artist = members.commonArtist {
      return [AlbumGroup(identity: .artist(artist.matchingKey), members: members)]
    }
    guard artists.count > 1 else { return [AlbumGroup(identity: .unknown, members: members)] }
    guard areSeveralAlbums(artists.map(\.members)) else {
      return [AlbumGroup(identity: .unknown, members: members)]
    }
    let nameless = members.filter { $0.artistKey == nil }
    return artists.map { AlbumGroup(identity: .artist($0.key), members: $0.members) }
      + (nameless.isEmpty ? [] : [AlbumGroup(identity: .unknown, members: nameless)])
  }

  /// Whether numbers occur twice and every artist has the lowest.
  private static func areSeveralAlbums(_ groups: [[AlbumCandidate]]) -> Bool {
    let numbers = groups.map { $0.compactMap { $0.track.number?.number } }
    guard let lowest = numbers.joined().min(), numbers.allSatisfy({ $0.contains(lowest) }) else {
      return false
    }
    return true
  }

  /// To which release the artists belong, for the tracks without an id.
  private struct Homes {
    private var byArtist: [String: Set<String>] = [:]
    private var all: Set<String> = []

    init(_ released: [AlbumCandidate]) {
      for member in released {
        guard let id = member.track.musicBrainzAlbumID else { continue }
        all.insert(id)
        if let artist = member.artistKey { byArtist[artist, default: []].insert(id) }
      }
    }

    func release(for member: AlbumCandidate) -> String? {
      let homes = member.artistKey.map { byArtist[$0] ?? [] } ?? all
      return homes.count == 1 ? homes.first : nil
    }
  }
}

extension Array {
  /// The elements by key, the keys in the order of their first element.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, members: [Element])] {
    var places: [Key: Int] = [:]
    var groups: [(key: Key, members: [Element])] = []
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].members.append(element)
      } else {
        places[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}

extension [AlbumCandidate] {
  /// The artist that every track with an artist names, as the first of them spells it.
  var commonArtist: String? {
    let named = self.map(\.track.artists).filter { !$0.isEmpty }
    guard let first = named.first else { return nil }
    var candidates = first.map { (name: $0.withoutGuests, key: $0.withoutGuests.matchingKey) }
    for artists in named.dropFirst() {
      if artists == first { continue }
      let keys = Set(artists.map { $0.withoutGuests.matchingKey })
      candidates.removeAll { !keys.contains($0.key) }
      if candidates.isEmpty { return nil }
    }
    // All of them, where every track has the same ones.
    return named.allSatisfy { $0 == first } ? first.joined(separator: ", ") : candidates.first?.name
  }
}
