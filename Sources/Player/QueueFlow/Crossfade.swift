import MusicModel
import PlaybackEngine

/// Whether and how long tracks fade into each other.
public struct Crossfade: Sendable, Hashable {
  /// The longest that there is.
  public static let limit = Duration.seconds(30)
  /// None: every track begins where the one before has ended.
  public static let off = Crossfade(duration: .zero, withinAlbums: false)

  /// How long; none where zero.
  public let duration: Duration
  /// Whether tracks of an album that plays in order fade into each other, too.
  public let withinAlbums: Bool

  /// A crossfade of this length, or the nearest up to ``limit``.
  public init(duration: Duration, withinAlbums: Bool) {
    self.duration = min(max(.zero, duration), Self.limit)
    self.withinAlbums = withinAlbums
  }

  /// How `track` goes over into `next`.
  func transition(from track: Track, to next: Track) -> Transition {
    guard duration > .zero, withinAlbums || !track.isContinued(by: next) else { return .gapless }
    return .crossfade(duration)
  }
}
