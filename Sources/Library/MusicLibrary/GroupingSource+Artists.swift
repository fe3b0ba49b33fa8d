import MusicModel

extension GroupingSource {
  /// The artist that every track with an artist names, as the first of them spells it; all artists where they are the
  /// same everywhere.
  func commonArtist(of members: [AlbumCandidate]) -> String? {
    guard let first = firstArtists(of: members) else { return nil }
    if haveAll(members, first) { return first.count == 1 ? first[0] : first.joined(separator: ", ") }
    let common = commonKeys(of: members, first)
    return first.first { common.contains(artistKey(of: $0)) }?.withoutGuests
  }

  /// The folded form of such an artist; of several, the same one for every order of the members.
  func commonArtistKey(of members: [AlbumCandidate]) -> Int? {
    guard let first = firstArtists(of: members) else { return nil }
    if haveAll(members, first) { return key(of: first.count == 1 ? first[0] : first.joined(separator: ", ")) }
    return commonKeys(of: members, first).min { text($0) < text($1) }
  }

  private func firstArtists(of members: [AlbumCandidate]) -> [String]? {
    members.first { $0.artist != nil }.map { tracks[$0.index].artists }
  }

  private func haveAll(_ members: [AlbumCandidate], _ artists: [String]) -> Bool {
    members.allSatisfy { $0.artist == nil || tracks[$0.index].artists == artists }
  }

  private func commonKeys(of members: [AlbumCandidate], _ artists: [String]) -> Set<Int> {
    var common = Set(artists.map { artistKey(of: $0) })
    for member in members where member.artist != nil {
      common.formIntersection(tracks[member.index].artists.map { artistKey(of: $0) })
      if common.isEmpty { break }
    }
    return common
  }
}
