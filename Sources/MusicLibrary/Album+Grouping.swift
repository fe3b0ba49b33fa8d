import MusicModel
import SystemPackage
import UnicodeText

extension Album {
  /// The album of these candidates, of which there is at least one: rules 4 and 5 of ``AlbumGrouping``.
  init(grouping members: [AlbumCandidate]) {
    let members = members.inPlayingOrder
    let tracks = members.map(\.track)
    let titled = members.filter(\.isTitled)
    let title = (titled.isEmpty ? members : titled).map(\.title).mostFrequent ?? ""
    let albumArtist = tracks.compactMap { $0.albumArtists.isEmpty ? nil : $0.albumArtists }.mostFrequent
    let artists = Set(members.compactMap { $0.track.artists.first?.withoutGuests.matchingKey })
    let isFlagged = tracks.contains(where: \.isCompilation)
    // Album artists that differ are no name for the whole.
    let hasOneAlbumArtist = Set(members.compactMap(\.albumArtistKey)).count == 1
    let isNamed = albumArtist != nil && (hasOneAlbumArtist || !isFlagged)

    var artist: String?
    var isCompilation = false
    if isNamed, let albumArtist {
      artist = albumArtist.joined(separator: ", ")
      isCompilation = isFlagged && artists.count > 1
    } else if let common = members.commonArtist {
      artist = common
    } else if artists.count > 1 {
      artist = "Various Artists"
      isCompilation = true
    }
    if let artist, artist.foldedForMatching.isVariousArtists { isCompilation = true }
    self.init(title: title, artist: artist, isCompilation: isCompilation, tracks: tracks)
    date = tracks.compactMap(\.date).mostFrequent
    sortTitle = tracks.lazy.compactMap(\.sortNames.album).first
    sortArtist = tracks.lazy.compactMap(\.sortNames.albumArtist).first
    if sortArtist == nil, !isNamed, !isCompilation {
      sortArtist = tracks.lazy.compactMap(\.sortNames.artist).first
    }
  }
}

extension [AlbumCandidate] {
  fileprivate var inPlayingOrder: [AlbumCandidate] {
    guard count > 1 else { return self }
    let keyed = map { member in
      (
        disc: member.track.disc?.number ?? 1, number: member.track.number?.number ?? .max,
        name: CollationKey(member.track.path.lastComponent?.string ?? ""), member: member
      )
    }
    return keyed.sorted { left, right in
      if left.disc != right.disc { return left.disc < right.disc }
      if left.number != right.number { return left.number < right.number }
      if left.name != right.name { return left.name < right.name }
      return left.member.track.path.isOrdered(before: right.member.track.path)
    }.map(\.member)
  }
}

extension Array where Element: Hashable {
  /// The element that occurs most often; of several, the one that comes first.
  fileprivate var mostFrequent: Element? {
    guard let first else { return nil }
    if allSatisfy({ $0 == first }) { return first }
    var counts: [Element: Int] = [:]
    for element in self { counts[element, default: 0] += 1 }
    let highest = counts.values.max() ?? 0
    return self.first { counts[$0] == highest }
  }
}
