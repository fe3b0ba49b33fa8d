// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage

/// The fields of a track that grouping may set to something other than its tags say.
struct ShownFields: Sendable, Equatable {
  let title: String
  let number: Ordinal?
  let disc: Ordinal?

  init(title: String, number: Ordinal?, disc: Ordinal?) {
    self.title = title
    self.number = number
    self.disc = disc
  }

  /// Creates the fields of a track as it is shown.
  init(_ shown: Track) {
    title = shown.title
    number = shown.number
    disc = shown.disc
  }
}

/// Which fields of a track were derived by grouping, because its tags do not have them.
struct DerivedFields: OptionSet, Sendable {
  let rawValue: Int64

  /// The title, the number and the disc come from the file name.
  static let fromName = DerivedFields(rawValue: 1)
  /// The disc comes from the directory's name or the album's title.
  static let disc = DerivedFields(rawValue: 2)

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// Creates the set of derived fields, given the track as tagged and as shown.
  init(of shown: ShownFields, from track: Track) {
    self = []
    if shown.title != track.title || shown.number != track.number {
      insert(.fromName)
    } else if shown.disc != track.disc {
      insert(.disc)
    }
  }

  /// Returns `shown`, of the track at `path`, without the derived values.
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
