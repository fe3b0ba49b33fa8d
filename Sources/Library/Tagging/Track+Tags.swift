// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
package import SystemPackage

extension Track {
  /// The track at `path` with what its tags say, and its file's name where they do not say it.
  package init(path: FilePath, fields: TagFields) {
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

/// What a file's name says of its track: "03 Title", "03 - Title", "03. Title", "03_Title", "1-03 Title".
package struct FileNameTitle: Sendable, Hashable {
  /// The name without the number before it.
  package var title: String
  /// The number of the track, 0 to 999.
  package var number: Int?
  /// The number of the disc, 1 to 99.
  package var disc: Int?
  /// Whether the name alone says that the number is the track's: it has a zero before it or a disc, or more than a
  /// point and a space behind it. "99 Luftballons" and "5. Sinfonie" may begin with a number of their own.
  var isCertain = false

  /// Reads a name without its suffix. A number that nothing follows, or that has more than three digits, is part
  /// of the title.
  package init(_ stem: String) {
    title = stem
    var rest = stem[...]
    let hasZero = rest.first == "0"
    guard var number = Self.takeNumber(&rest, digits: 3) else { return }
    var disc: Int?
    if number > 0, number < 100, rest.first == "-" || rest.first == "." {
      var afterDisc = rest.dropFirst()
      if let second = Self.takeNumber(&afterDisc, digits: 3), Self.isSeparator(afterDisc.first) {
        disc = number
        number = second
        rest = afterDisc
      }
    }
    guard Self.isSeparator(rest.first) else { return }
    let title = rest.drop { Self.isSeparator($0) }
    guard !title.isEmpty else { return }
    self.title = String(title)
    self.number = number
    self.disc = disc
    isCertain =
      hasZero || disc != nil || rest[..<title.startIndex].contains { $0 != " " && $0 != "." }
  }

  private static func takeNumber(_ text: inout Substring, digits limit: Int) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= limit, let number = Int(digits) else { return nil }
    text = text.dropFirst(digits.count)
    return number
  }

  private static func isSeparator(_ character: Character?) -> Bool {
    guard let character else { return false }
    return " -._–—)".contains(character)
  }
}
