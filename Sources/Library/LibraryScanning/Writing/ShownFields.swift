import MusicModel
import Platform
import SystemPackage

/// What grouping may make of a track that its tags do not say.
struct ShownFields: Sendable, Equatable {
  let title: String
  let number: Ordinal?
  let disc: Ordinal?

  init(title: String, number: Ordinal?, disc: Ordinal?) {
    self.title = title
    self.number = number
    self.disc = disc
  }

  /// Those of a track as it is shown.
  init(_ shown: Track) {
    title = shown.title
    number = shown.number
    disc = shown.disc
  }
}

/// What of a track grouping worked out, since its tags do not say it.
struct DerivedFields: OptionSet, Sendable {
  let rawValue: Int64

  /// The title, the number and the disc are from the file's name.
  static let fromName = DerivedFields(rawValue: 1)
  /// The disc is that of the directory or of the album's title.
  static let disc = DerivedFields(rawValue: 2)

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// What grouping made of `track`, which became `shown`.
  init(of shown: ShownFields, from track: Track) {
    self = []
    if shown.title != track.title || shown.number != track.number {
      insert(.fromName)
    } else if shown.disc != track.disc {
      insert(.disc)
    }
  }

  /// `shown`, of the track at `path`, without what was worked out.
  func removed(from shown: ShownFields, of path: @autoclosure () -> FilePath) -> ShownFields {
    if contains(.fromName) {
      return ShownFields(title: path().shownStem ?? shown.title, number: nil, disc: nil)
    }
    return contains(.disc) ? ShownFields(title: shown.title, number: shown.number, disc: nil) : shown
  }

  /// Takes from `track`, as the index shows it, what was worked out.
  func remove(from track: inout Track) {
    if isEmpty { return }
    let tagged = removed(from: ShownFields(track), of: track.path)
    track.title = tagged.title
    track.number = tagged.number
    track.disc = tagged.disc
  }
}
