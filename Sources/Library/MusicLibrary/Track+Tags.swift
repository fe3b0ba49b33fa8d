import MusicModel
import Platform
import SystemPackage

extension Track {
  /// The track at `path` with what its tags say, and its file's name where they do not say it.
  init(path: FilePath, fields: TagFields) {
    let title = fields.first(.title)
    self.init(path: path, title: title ?? "")
    artists = fields.all([.artist, .artists])
    album = fields.first(.album)
    albumArtists = fields.all([.albumArtist, .albumArtistSpaced, .albumArtistUnderscored, .albumArtists])
    genres = fields.all([.genre])
    composers = fields.all([.composer])
    number = fields.ordinal([.trackNumber, .track], totals: [.trackTotal, .totalTracks])
    disc = fields.ordinal([.discNumber, .disc], totals: [.discTotal, .totalDiscs])
    if let number = disc?.number, number < 1 { disc = nil }
    date = fields.date([.date, .year, .releaseDate, .originalDate, .originalYear])
    isCompilation = fields.flag(.compilation)
    sortNames.title = fields.first(.titleSort)
    sortNames.artist = fields.first(.artistSort)
    sortNames.album = fields.first(.albumSort)
    sortNames.albumArtist = fields.first(.albumArtistSort)
    replayGain = fields.replayGain
    musicBrainzAlbumID = fields.first(.musicBrainzAlbumID).flatMap { Self.identifier($0) }
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
