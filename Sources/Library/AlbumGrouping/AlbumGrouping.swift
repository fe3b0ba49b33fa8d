// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import SystemPackage
import Tagging
import UnicodeText

/// The rules by which tracks are grouped into albums. Grouping does no I/O and does not depend on the order of the
/// tracks.
///
/// 1. *Title.* A track belongs to the album that its tag names or, without a tag, to that of its directory ("CD1",
///    "Disc 2 - Live" and the like count as part of the directory above, and "The Wall (Disc 1)" as "The Wall"). A disc
///    at the end of a title tag, as in "The Wall (Disc 1)" or "The Wall (Disc 2: Live)", is the disc number. Titles and
///    artists are compared in folded form. So editions with different titles ("Low", "Low (Remastered)") are different
///    albums, and a single that has its own album title is an album of one track.
/// 2. *Within one directory and title:*
///    - Tracks without an album tag join the tagged tracks of an album with the directory's name, unless they are by
///      another artist or their number is taken. Otherwise they form one album with the directory's name, even if their
///      artists differ, rather than an album for each file. Only if several artists each have a complete, numbered
///      album there does each artist get an album.
///    - A MusicBrainz album ID groups the tracks that have it. Tracks without an ID join them if they are by the same
///      artist or have none. Different IDs are different albums.
///    - Otherwise, the album artist decides, and tracks without one join if there is only one. Without album artists,
///      the track artists decide ("A feat. B" counts as A): one artist, or an artist that every track names, makes it
///      an album of that artist; several artists make it a compilation. They are several albums instead if track
///      numbers occur twice and every artist has the lowest one. A compilation flag keeps tracks together in any case,
///      even under different album artists.
///    - Dates do not separate albums: the tracks of an album in one directory may have different dates.
/// 3. *Copies.* If one directory has the same tracks in several formats (by suffix), each format is an album. This
///    applies if at least half of the tracks of the smaller copy are in the other, by number, or by file name if there
///    are no numbers. A format that only adds tracks joins the largest one to which it adds. The same track twice in
///    one format stays twice in the album.
/// 4. *Across directories,* groups with the same MusicBrainz ID, or with the same title and artist (both by tags), or
///    flagged compilations with the same title, are one album if no track of a disc occurs in two of the directories
///    and, except with an ID, every track has a number. Otherwise they are copies or editions: the directories of one
///    format are one album if they alone meet these conditions; if not, each directory is an album.
/// 5. *Order:* disc (1 if unknown; if no track has a disc number, discs with different titles come one after the other,
///    by their first tracks), number (0 is a hidden track before the first; tracks without one come last),
///    natural order of the file name, path. A number at the beginning of a file name, if no tag says otherwise, is a
///    track number if the other files of the disc agree: all have numbers, all are different, and the highest is at
///    most twice the number of files.
/// 6. An album has the title, artist and date that most of its tracks have. It is a compilation if its artist is
///    "Various Artists", or if its tracks are by several artists and either have no album artist or have the flag.
public enum AlbumGrouping {
  /// Groups tracks into albums, sorted by artist, then date, then title (see ``AlbumOrder``).
  ///
  /// Every track is in exactly one album. If its tags have no disc number, that of its directory or album title is
  /// filled in. If rule 5 takes a number from its file name, the number and disc are filled in and removed from the
  /// title. Grouping the result again gives the same albums. Apart from sorting, the time is proportional to the number
  /// of tracks.
  public static func albums(of tracks: [Track]) -> [Album] {
    AlbumOrder.sorted(unsortedAlbums(of: tracks))
  }

  /// Groups tracks into albums, in no particular order.
  public static func unsortedAlbums(of tracks: [Track]) -> [Album] {
    grouped(tracks).map(\.album)
  }

  /// Groups tracks into albums, each with the indexes of its tracks in `tracks`.
  package static func grouped(_ tracks: [Track]) -> [(album: Album, indexes: [Int])] {
    let source = GroupingSource(tracks)
    var merger = GroupMerger(source: source)
    for bucket in AlbumBucket.buckets(of: source) {
      for group in bucket.groups() {
        for copy in group.copies(source: source) { merger.append(copy) }
      }
    }
    return merger.groups().map { group in
      let members = source.inPlayingOrder(group.members)
      return (Album(grouping: members, source: source), members.map(\.index))
    }
  }

  /// Returns the folded title of the album that the track belongs to according to its own tags or, if they have none,
  /// its directory.
  ///
  /// Two tracks are *related* if they share this key or a MusicBrainz album ID, or if both are related to a third. Only
  /// related tracks can be in one album, and the album of a track depends only on its related tracks. So to group
  /// changed tracks again, group everything that is related to them.
  public static func groupKey(of track: Track) -> String {
    guard let title = track.album else {
      return AlbumDirectory(track.path.removingLastComponent()).name.matchingKey
    }
    return (DiscSuffix(title: title)?.base ?? title).matchingKey
  }
}

extension Album {
  /// Creates the album of these candidates, according to rules 5 and 6 of ``AlbumGrouping``. There must be at least
  /// one, and they must be in playing order.
  init(grouping members: [AlbumCandidate], source: GroupingSource) {
    var titles = members.filter(\.isTitled).map(\.title)
    if titles.isEmpty { titles = members.map(\.title) }
    let title = titles.mostFrequent.map { source.text($0) } ?? ""
    let albumArtist = members.compactMap(\.shownAlbumArtist).mostFrequent
    let hasSeveralArtists = !members.compactMap(\.artist).areAllEqual
    let isFlagged = members.contains(where: \.isCompilation)
    // If the tracks of a compilation have different album artists, none of them is the artist of the whole album.
    let hasAlbumArtist = albumArtist != nil && (!isFlagged || members.compactMap(\.albumArtist).areAllEqual)

    var artist: String?
    var isCompilation = false
    if hasAlbumArtist, let albumArtist {
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
    if sortArtist == nil, !isCompilation {
      sortArtist =
        tracks.first { $0.sortNames.artist != nil && (!hasAlbumArtist || $0.artists == $0.albumArtists) }?
        .sortNames.artist
    }
  }
}

extension GroupingSource {
  /// Returns the track of a candidate, with the values that grouping has filled in.
  fileprivate func track(_ candidate: AlbumCandidate) -> Track {
    var track = tracks[candidate.index]
    if candidate.isNumberedByName, let name = numberedName(of: candidate) {
      track.title = name.title
      track.number = candidate.number.map { Ordinal($0) }
    }
    if track.disc == nil { track.disc = candidate.disc.map { Ordinal($0) } }
    return track
  }

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
    return discsBySubtitle(of: members)?.flatMap(\.members) ?? members
  }

  /// Returns the discs of these members, which must be sorted, if only their titles tell the discs apart; otherwise
  /// `nil`.
  ///
  /// The discs are in the order of their first tracks; of two that begin with the same number, one without a title is
  /// first. If there is only one title, tracks without it are a disc of their own only if a number occurs twice.
  private func discsBySubtitle(of members: [AlbumCandidate]) -> [(key: Int?, members: [AlbumCandidate])]? {
    guard members.allSatisfy({ $0.disc == nil }), members.contains(where: { $0.subtitle != nil }) else { return nil }
    var discs = members.grouped(by: \.subtitle)
    guard discs.count > 1 else { return nil }
    if let index = discs.firstIndex(where: { $0.key == nil }) {
      let numbers = members.compactMap(\.number)
      if discs.count == 2, Set(numbers).count == numbers.count { return nil }
      if discs[index].members.first?.number == discs.first?.members.first?.number {
        discs.insert(discs.remove(at: index), at: 0)
      }
    }
    return discs
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
  /// Whether the candidate comes before another one by disc or track number.
  fileprivate func isBefore(_ other: AlbumCandidate) -> Bool {
    let (disc, otherDisc) = (self.disc ?? 1, other.disc ?? 1)
    return disc != otherDisc ? disc < otherDisc : (number ?? .max) < (other.number ?? .max)
  }
}

extension Array where Element: Hashable {
  /// Whether all elements are equal; `true` if there are none.
  fileprivate var areAllEqual: Bool {
    guard let first else { return true }
    return allSatisfy { $0 == first }
  }

  /// The most frequent element, or the first one of them if there is a tie; `nil` if there are no elements.
  fileprivate var mostFrequent: Element? {
    guard let first else { return nil }
    if areAllEqual { return first }
    var counts: [Element: Int] = [:]
    for element in self { counts[element, default: 0] += 1 }
    let highest = counts.values.max() ?? 0
    return self.first { counts[$0] == highest }
  }
}
