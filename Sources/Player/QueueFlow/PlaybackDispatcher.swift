public import Flux

/// Carries what the user wants of playing, and what the engine reports.
public typealias PlaybackDispatcher = Dispatcher<PlaybackAction>

extension PlaybackDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: PlaybackDispatcher { sharedPlaybackDispatcher }
}

private let sharedPlaybackDispatcher = PlaybackDispatcher()
