public import MusicModel
import SystemPackage
import UnicodeText

/// The rules by which tracks become albums: pure, and the same for every order of the tracks.
///
/// 1. *Title.* A track is of the album that its tag names; without that tag, of its directory ("CD1", "Disc 2"
///    and the like count as part of the directory above, "The Wall (Disc 1)" as "The Wall"). A disc at the end of
///    a title's tag, "The Wall (Disc 1)", is the disc's number. Titles and artists are compared folded.
/// 2. *Within one directory and title:* a MusicBrainz album id binds, and takes along the tracks without one that
///    are by the same artist or by none. Else the album artist decides, and tracks without one go along when there
///    is one only. Else the tracks are by their artists ("A feat. B" counts as A):
///    - one artist, or an artist whom every track names: an album of that artist;
///    - several: one compilation — unless they are several albums in one directory, which shows in track numbers
///      that occur twice while each artist has the lowest one;
///    - a compilation flag keeps them together in any case, even under different album artists.
/// 3. *Across directories,* groups of one MusicBrainz id, or of one title and artist (both by tags), or flagged
///    compilations of one title, are one album if no number of a disc occurs in two of the directories and, save
///    for the id, every track has a number. Otherwise each directory is an album: they are copies.
/// 4. *Order:* disc (1 where unknown), number (those without one last), natural order of the file's name, path.
/// 5. An album shows the title, artist and date that most of its tracks give. It is a compilation when its artist
///    is "Various Artists", or when its tracks are by several artists and have no album artist or the flag.
public enum AlbumGrouping {
  /// The albums of these tracks, by artist, then date, then title (see ``AlbumOrder``).
  ///
  /// Every track is in exactly one album; where its tags name no disc, the disc of its directory or title is
  /// filled in. Time is in proportion to the number of tracks, but for sorting.
  public static func albums(of tracks: [Track]) -> [Album] {
    AlbumOrder.sorted(unorderedAlbums(of: tracks))
  }

  /// The same albums in no order.
  static func unorderedAlbums(of tracks: [Track]) -> [Album] {
    var merging = GroupMerging()
    for bucket in AlbumBucket.buckets(of: tracks) {
      for group in bucket.groups() { merging.append(group) }
    }
    return merging.groups().map { Album(grouping: $0.members) }
  }
}
