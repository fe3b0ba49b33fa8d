public import Platform

/// When playing is to stop by itself, and how long it fades out before.
public struct SleepTimer: Sendable, Hashable {
  /// When.
  public enum End: Sendable, Hashable {
    /// At this moment.
    case at(MonotonicInstant)
    /// When the track that plays then has ended.
    case afterTrack
    /// When the album that plays then has ended.
    case afterAlbum
    /// When the queue has ended.
    case afterQueue
  }

  /// How long it fades out, unless something else is asked for.
  public static let usualFade = Duration.seconds(10)

  /// When.
  public let end: End
  /// How long it fades out before the end.
  public let fade: Duration

  /// A timer with these properties; a negative fade counts as none.
  public init(_ end: End, fade: Duration = SleepTimer.usualFade) {
    self.end = end
    self.fade = max(.zero, fade)
  }
}
