import MusicModel
import Platform
import SystemPackage

/// What of a track grouping worked out, since its tags do not say it.
struct DerivedFields: OptionSet, Sendable {
  let rawValue: Int64

  /// The title, the number and the disc are from the file's name.
  static let fromName = DerivedFields(rawValue: 1)
  /// The disc is that of the directory or of the album's title.
  static let disc = DerivedFields(rawValue: 2)

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// What grouping made of `track`, which became `shown`.
  init(of shown: Track, from track: Track) {
    self = []
    if shown.title != track.title || shown.number != track.number {
      insert(.fromName)
    } else if shown.disc != track.disc {
      insert(.disc)
    }
  }

  /// Takes from `track`, as the index shows it, what was worked out.
  func remove(from track: inout Track) {
    if contains(.fromName) {
      track.title = track.path.shownStem ?? track.title
      track.number = nil
      track.disc = nil
    }
    if contains(.disc) { track.disc = nil }
  }
}
