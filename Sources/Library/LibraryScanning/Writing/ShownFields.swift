// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage

/// The fields of a track for which grouping may derive values that differ from the tags.
struct ShownFields: Sendable, Equatable {
  let title: String
  let number: Ordinal?
  let disc: Ordinal?

  init(title: String, number: Ordinal?, disc: Ordinal?) {
    self.title = title
    self.number = number
    self.disc = disc
  }

  /// Creates the fields of a track as shown to users.
  init(_ shown: Track) {
    title = shown.title
    number = shown.number
    disc = shown.disc
  }
}

/// The fields of a track that grouping derived, because the tags do not have them.
struct DerivedFields: OptionSet, Sendable {
  let rawValue: Int64

  /// The title, the number and the disc were derived from the file name.
  static let fromName = DerivedFields(rawValue: 1)
  /// The disc was derived from the name of the directory or from the title of the album.
  static let disc = DerivedFields(rawValue: 2)

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// Creates the set of derived fields, given a track as shown and as tagged.
  init(of shown: ShownFields, from track: Track) {
    self = []
    if shown.title != track.title || shown.number != track.number {
      insert(.fromName)
    } else if shown.disc != track.disc {
      insert(.disc)
    }
  }

  /// Returns the fields `shown` of the track at `path`, without the derived values.
  func removed(from shown: ShownFields, of path: @autoclosure () -> FilePath) -> ShownFields {
    if contains(.fromName) {
      return ShownFields(title: path().shownStem ?? shown.title, number: nil, disc: nil)
    }
    return contains(.disc) ? ShownFields(title: shown.title, number: shown.number, disc: nil) : shown
  }

  /// Removes the derived values from a track as the index shows it.
  func remove(from track: inout Track) {
    if isEmpty { return }
    let tagged = removed(from: ShownFields(track), of: track.path)
    track.title = tagged.title
    track.number = tagged.number
    track.disc = tagged.disc
  }
}
