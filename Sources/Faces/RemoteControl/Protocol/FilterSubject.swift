// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel

/// The property of a track that a condition in a filter of the protocol tests.
enum FilterSubject: Equatable {
  case text(TrackFilter.Subject)
  case base
  case modifiedSince
  case addedSince
  case audioFormat
  case priority

  /// The tags that the protocol defines but Segue does not support.
  private static let absentTags = ["Comment"]

  /// Returns the protocol's spelling of `name`, ignoring case, if it is a tag that the protocol defines but Segue does
  /// not support; otherwise `nil`.
  static func absentTag(_ name: String) -> String? {
    let key = name.lowercased()
    return absentTags.first { $0.lowercased() == key }
  }

  init(_ name: String) throws(ProtocolError) {
    if let tag = SongTag(name: name) {
      self = .text(.field(tag.field))
      return
    }
    switch name.lowercased() {
    case "any": self = .text(.anyField)
    case "file", "filename": self = .text(.file)
    case "base": self = .base
    case "modified-since": self = .modifiedSince
    case "added-since": self = .addedSince
    case "audioformat": self = .audioFormat
    case "prio": self = .priority
    case let name where Self.absentTag(name) != nil: self = .text(.absentField)
    default: throw ProtocolError(.argument, "Unknown filter type")
    }
  }

  /// Parses an audio format in the form `RATE:BITS:CHANNELS` into a filter. If `isMask`, each part may be `*` for any
  /// value.
  static func format(_ text: String, isMask: Bool) throws(ProtocolError) -> TrackFilter {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.enumerated().map { index, part -> (isAny: Bool, number: Int?) in
      if part == "*" { return (isMask, nil) }
      if index == 1, part == "f" { return (false, 0) }
      return (false, Int(part).flatMap { (1...10_000_000).contains($0) ? $0 : nil })
    }
    guard numbers.count == 3, numbers.allSatisfy({ $0.isAny || $0.number != nil }) else {
      throw ProtocolError(.argument, "Bad audio format")
    }
    return .format(rate: numbers[0].number, bits: numbers[1].number, channels: numbers[2].number)
  }
}

extension SongTag {
  /// The field in which the library stores the tag.
  var field: TrackTag {
    switch self {
    case .artist: .artist
    case .artistSort: .artistSort
    case .album: .album
    case .albumSort: .albumSort
    case .albumArtist: .albumArtist
    case .albumArtistSort: .albumArtistSort
    case .title: .title
    case .titleSort: .titleSort
    case .track: .track
    case .genre: .genre
    case .date: .releaseDate
    case .composer: .composer
    case .disc: .disc
    case .musicBrainzAlbumID: .musicBrainzAlbumID
    case .name: .additional(.name)
    case .originalDate: .additional(.originalDate)
    case .composerSort: .additional(.composerSort)
    case .performer: .additional(.performer)
    case .conductor: .additional(.conductor)
    case .ensemble: .additional(.ensemble)
    case .location: .additional(.location)
    case .grouping: .additional(.grouping)
    case .label: .additional(.label)
    case .musicBrainzArtistID: .additional(.musicBrainzArtistID)
    case .musicBrainzAlbumArtistID: .additional(.musicBrainzAlbumArtistID)
    case .work: .additional(.work)
    case .movement: .additional(.movement)
    case .movementNumber: .additional(.movementNumber)
    case .musicBrainzTrackID: .additional(.musicBrainzTrackID)
    case .musicBrainzReleaseTrackID: .additional(.musicBrainzReleaseTrackID)
    case .musicBrainzWorkID: .additional(.musicBrainzWorkID)
    case .mood: .additional(.mood)
    case .showMovement: .additional(.showMovement)
    case .musicBrainzReleaseGroupID: .additional(.musicBrainzReleaseGroupID)
    case .discSubtitle: .additional(.discSubtitle)
    }
  }
}
