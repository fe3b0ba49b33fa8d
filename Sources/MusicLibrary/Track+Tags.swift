import MusicModel
import Platform
import SystemPackage

extension Track {
  /// The track at `path` with what its tags say, and its file's name where they do not say it.
  init(path: FilePath, fields: TagFields) {
    let title = fields.first("TITLE")
    self.init(path: path, title: title ?? "")
    artists = fields.all("ARTIST", "ARTISTS")
    album = fields.first("ALBUM")
    albumArtists = fields.all("ALBUMARTIST", "ALBUM ARTIST", "ALBUM_ARTIST", "ALBUMARTISTS")
    genres = fields.all("GENRE")
    composers = fields.all("COMPOSER")
    number = fields.ordinal(["TRACKNUMBER", "TRACK"], totals: ["TRACKTOTAL", "TOTALTRACKS"])
    disc = fields.ordinal(["DISCNUMBER", "DISC"], totals: ["DISCTOTAL", "TOTALDISCS"])
    if let number = disc?.number, number < 1 { disc = nil }
    date = fields.date("DATE", "YEAR", "RELEASEDATE", "ORIGINALDATE", "ORIGINALYEAR")
    isCompilation = fields.flag("COMPILATION")
    sortNames.title = fields.first("TITLESORT")
    sortNames.artist = fields.first("ARTISTSORT")
    sortNames.album = fields.first("ALBUMSORT")
    sortNames.albumArtist = fields.first("ALBUMARTISTSORT")
    replayGain = fields.replayGain
    musicBrainzAlbumID = fields.first("MUSICBRAINZ_ALBUMID").flatMap { Self.identifier($0) }
    guard title == nil else { return }
    let stem = path.shownStem ?? ""
    self.title = stem
    let name = FileNameTitle(stem)
    // Where it takes the files beside it to tell, grouping does.
    if number == nil ? name.isCertain : number?.number == name.number {
      self.title = name.title
      number = number ?? name.number.map { Ordinal($0) }
      disc = disc ?? name.disc.map { Ordinal($0) }
    }
  }

  /// A MusicBrainz identifier in lower case: 32 hexadecimal digits and four dashes; `nil` for anything else.
  private static func identifier(_ text: String) -> String? {
    guard text.utf8.count == 36 else { return nil }
    var isLower = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"):
        break
      case UInt8(ascii: "A")...UInt8(ascii: "F"): isLower = false
      default: return nil
      }
    }
    return isLower ? text : text.lowercased()
  }
}
