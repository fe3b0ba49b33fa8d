// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
package import SystemPackage

extension Track {
  /// Creates the track at `path` from its tags and, where they are missing, from its file name.
  package init(path: FilePath, fields: TagFields) {
    let title = fields.first(.title)
    self.init(path: path, title: title ?? "")
    artists = fields.persons
    album = fields.first(.album)
    albumArtists = fields.albumPersons
    genres = fields.all([.genre])
    composers = fields.all([.composer])
    number = fields.ordinal([.trackNumber, .track], totals: [.trackTotal, .totalTracks], hasSides: true)
    disc = fields.ordinal([.discNumber, .disc], totals: [.discTotal, .totalDiscs])
    if let number = disc?.number, number < 1 { disc = nil }
    date = fields.shownDate()
    isCompilation = fields.flag(.compilation)
    sortNames.title = fields.first(.titleSort)
    sortNames.artist = fields.first(.artistSort)
    sortNames.album = fields.first(.albumSort)
    sortNames.albumArtist = fields.first(.albumArtistSort)
    replayGain = fields.replayGain
    musicBrainzAlbumID = fields.first(.musicBrainzAlbumID).flatMap { Self.identifier($0) }
    additionalTags = AdditionalTags(shownFormsOf: fields)
    guard title == nil else { return }
    let stem = path.shownStem ?? ""
    self.title = stem
    let name = FileNameTitle(stem)
    // If the name is not certain, grouping decides by the other files in the directory.
    if number == nil ? name.isCertain : number?.number == name.number {
      self.title = name.title
      number = number ?? name.number.map { Ordinal($0) }
      disc = disc ?? name.disc.map { Ordinal($0) }
    }
  }

  /// Returns a MusicBrainz identifier in lower case, or `nil` if `text` is not one (32 hexadecimal digits and four
  /// dashes).
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

/// The title and the numbers in a file name such as "03 Title", "03 - Title", "03. Title", "03_Title" or "1-03 Title".
package struct FileNameTitle: Sendable, Hashable {
  /// The file name without the number at its beginning.
  package var title: String
  /// The track number, from 0 to 999; `nil` if there is none.
  package var number: Int?
  /// The disc number, from 1 to 99; `nil` if there is none.
  package var disc: Int?
  /// Whether the name alone shows that the number is the track number: it has a leading zero or a disc number, or is
  /// followed by more than a full stop and spaces. In "99 Luftballons" and "5. Sinfonie", the number may be part of the
  /// title.
  var isCertain = false

  /// Parses a file name without its suffix. A number that nothing follows, or that has more than three digits, is part
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
    // "0.5" and "3.14" are numbers of their own.
    let isDecimal = rest.first == "." && rest.dropFirst().first.map { $0.isASCII && $0.isNumber } ?? false
    if disc == nil, isDecimal, number == 0 || !hasZero { return }
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
