import MusicModel

/// What MPRIS says of what comes behind the end.
enum LoopStatus: String, Sendable {
  case none = "None"
  case track = "Track"
  case playlist = "Playlist"

  /// That of a mode; an album is a list, too.
  init(_ mode: QueueModes.Repeat) {
    self =
      switch mode {
      case .off: .none
      case .one: .track
      case .all, .album: .playlist
      }
  }

  /// The mode that it asks for.
  var mode: QueueModes.Repeat {
    switch self {
    case .none: .off
    case .track: .one
    case .playlist: .all
    }
  }
}
