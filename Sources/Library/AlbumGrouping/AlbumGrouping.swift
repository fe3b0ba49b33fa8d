public import MusicModel
import SystemPackage
import Tagging
import UnicodeText

/// The rules by which tracks become albums: pure, and the same for every order of the tracks.
///
/// 1. *Title.* A track is of the album that its tag names; without that tag, of its directory ("CD1", "Disc 2 - Live"
///    and the like count as part of the directory above, "The Wall (Disc 1)" as "The Wall"). A disc at the end of a
///    title's tag, "The Wall (Disc 1)" or "The Wall (Disc 2: Live)", is the disc's number. Titles and artists are
///    compared folded. So editions whose titles say so ("Low", "Low (Remastered)") are different albums, and a single,
///    whose album has its own title, is an album of one track.
/// 2. *Within one directory and title:*
///    - Tracks without an album tag go along with tagged ones of the directory's name, unless they are by somebody else
///      or their number is taken. Otherwise they are one album under the directory's name, whoever they are by: loose
///      files are not an album each. Only where each of several artists has a whole album there, with numbers, is it an
///      album for each.
///    - A MusicBrainz album id binds, and takes along the tracks without one that are by the same artist or by none;
///      different ids part.
///    - Else the album artist decides, and tracks without one go along when there is one only. Else the tracks are by
///      their artists ("A feat. B" counts as A): one artist, or an artist whom every track names, makes an album of
///      that artist; several make one compilation, unless they are several albums in one directory, which shows in
///      track numbers that occur twice while each artist has the lowest one. A compilation flag keeps them together
///      in any case, even under different album artists.
///    - Dates do not part: an album in one directory may have several.
/// 3. *Copies.* Where one directory has the same tracks in several formats (by suffix), each format is an album: when
///    at least half of the tracks of the smaller one are there in the other, by number, or without numbers by the
///    file's name. A format that only adds tracks goes with the largest that it adds to. The same track twice in one
///    format stays twice in the album.
/// 4. *Across directories,* groups of one MusicBrainz id, or of one title and artist (both by tags), or flagged
///    compilations of one title, are one album if no track of a disc occurs in two of the directories and, save for the
///    id, every track has a number. Otherwise they are copies or editions: each format that is so divided is an album,
///    or else each directory.
/// 5. *Order:* disc (1 where unknown), number (0 is a hidden track before the first; those without one last), natural
///    order of the file's name, path. A number that a file's name begins with, where nothing but the name says so, is
///    one if the other files of the disc agree: all have numbers, each another, the highest at most twice as many as
///    there are files.
/// 6. An album shows the title, artist and date that most of its tracks give. It is a compilation when its artist
///    is "Various Artists", or when its tracks are by several artists and have no album artist or the flag.
public enum AlbumGrouping {
  /// The albums of these tracks, by artist, then date, then title (see ``AlbumOrder``).
  ///
  /// Every track is in exactly one album; where its tags name no disc, the disc of its directory or title is filled in,
  /// and where rule 5 takes a number from its file's name, its number, its disc, and its title without them. What is
  /// grouped so gives the same albums again. Time is in proportion to the number of tracks, but for sorting.
  public static func albums(of tracks: [Track]) -> [Album] {
    AlbumOrder.sorted(unsortedAlbums(of: tracks))
  }

  /// The same albums in no particular order.
  public static func unsortedAlbums(of tracks: [Track]) -> [Album] {
    grouped(tracks).map(\.album)
  }

  /// The same albums, each with the places that its tracks have among `tracks`.
  package static func grouped(_ tracks: [Track]) -> [(album: Album, places: [Int])] {
    let source = GroupingSource(tracks)
    var merging = GroupMerging(source: source)
    for bucket in AlbumBucket.buckets(of: source) {
      for group in bucket.groups() {
        for copy in group.copies(source: source) { merging.append(copy) }
      }
    }
    return merging.groups().map { group in
      let members = source.inPlayingOrder(group.members)
      return (Album(grouping: members, source: source), members.map(\.index))
    }
  }

  /// The folded title of the album that the track's own tags, or else its directory, put it in.
  ///
  /// Two tracks are *related* when they share this key or a MusicBrainz album id, or when both are related to a third.
  /// Only related tracks come into one album, and into which album a track comes depends on nothing but the tracks that
  /// it is related to: to group anew what has changed, group all that is related to it.
  public static func groupKey(of track: Track) -> String {
    guard let title = track.album else {
      return AlbumDirectory(track.path.removingLastComponent()).name.matchingKey
    }
    return (DiscSuffix(title: title)?.base ?? title).matchingKey
  }
}

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
