import MusicModel
import SystemPackage
import UnicodeText

extension Album {
  /// The album of these candidates, of which there is at least one, in playing order: rules 5 and 6 of
  /// ``AlbumGrouping``.
  init(grouping members: [AlbumCandidate], source: GroupingSource) {
    var shown = members.filter(\.isTitled).map(\.title)
    if shown.isEmpty { shown = members.map(\.title) }
    let title = shown.mostFrequent.map { source.text($0) } ?? ""
    let albumArtist = members.compactMap(\.shownAlbumArtist).mostFrequent
    let hasSeveralArtists = members.compactMap(\.artist).differ
    let isFlagged = members.contains(where: \.isCompilation)
    // Album artists that differ are no name for the whole.
    let isNamed = albumArtist != nil && !(isFlagged && members.compactMap(\.albumArtist).differ)

    var artist: String?
    var isCompilation = false
    if isNamed, let albumArtist {
      artist = source.text(albumArtist)
      isCompilation = isFlagged && hasSeveralArtists
    } else if let common = source.commonArtist(of: members) {
      artist = common
    } else if hasSeveralArtists {
      artist = "Various Artists"
      isCompilation = true
    }
    if let artist, source.text(source.key(of: artist)).isVariousArtists { isCompilation = true }
    self.init(
      title: title, artist: artist, isCompilation: isCompilation, tracks: members.map { source.track($0) })
    date = tracks.compactMap { $0.date }.mostFrequent
    for track in tracks {
      sortTitle = sortTitle ?? track.sortNames.album
      sortArtist = sortArtist ?? track.sortNames.albumArtist
    }
    if sortArtist == nil, !isNamed, !isCompilation {
      sortArtist = tracks.lazy.compactMap { $0.sortNames.artist }.first
    }
  }
}

extension GroupingSource {
  /// The track of a candidate with what it was given.
  fileprivate func track(_ candidate: AlbumCandidate) -> Track {
    var track = tracks[candidate.index]
    if candidate.isNumberedByName, let name = unreadName(of: candidate) {
      track.title = name.title
      track.number = candidate.number.map { Ordinal($0) }
    }
    if track.disc == nil { track.disc = candidate.disc.map { Ordinal($0) } }
    return track
  }

  /// The candidates of one album as they are played.
  func inPlayingOrder(_ members: [AlbumCandidate]) -> [AlbumCandidate] {
    guard members.count > 1 else { return members }
    var members = members
    members.sort { $0.isBefore($1) }
    var start = 0
    while start < members.count {
      var end = start + 1
      while end < members.count, !members[start].isBefore(members[end]) { end += 1 }
      if end - start > 1 { members.replaceSubrange(start..<end, with: byName(members[start..<end])) }
      start = end
    }
    return members
  }

  private func byName(_ members: ArraySlice<AlbumCandidate>) -> [AlbumCandidate] {
    let keyed = members.map { member in
      let path = tracks[member.index].path
      return (name: CollationKey(path.lastComponent?.string ?? ""), path: path, member: member)
    }
    return keyed.sorted { left, right in
      left.name != right.name ? left.name < right.name : left.path.isOrdered(before: right.path)
    }.map(\.member)
  }
}

extension AlbumCandidate {
  /// Whether disc or number put it before another.
  fileprivate func isBefore(_ other: AlbumCandidate) -> Bool {
    let (disc, otherDisc) = (self.disc ?? 1, other.disc ?? 1)
    return disc != otherDisc ? disc < otherDisc : (number ?? .max) < (other.number ?? .max)
  }
}

extension Array where Element: Hashable {
  /// Whether there are two that are not the same.
  fileprivate var differ: Bool {
    guard let first else { return false }
    return contains { $0 != first }
  }

  /// The element that occurs most often; of several, the one that comes first.
  fileprivate var mostFrequent: Element? {
    guard let first else { return nil }
    if !differ { return first }
    var counts: [Element: Int] = [:]
    for element in self { counts[element, default: 0] += 1 }
    let highest = counts.values.max() ?? 0
    return self.first { counts[$0] == highest }
  }
}
