public import Flux
public import Logging
import MusicModel

/// Writes every action that the dispatchers carry to a log, in their order: for finding faults.
public final class ActionLog: Sendable {
  private let subscriptions: [Subscription]

  /// Logs what both dispatchers carry from now on, on their delivering threads.
  public init(_ logger: Logger, queueDispatcher: QueueDispatcher, playbackDispatcher: PlaybackDispatcher) {
    subscriptions = [
      queueDispatcher.subscribe { logger.info("\(Self.summary($0))") },
      playbackDispatcher.subscribe { logger.info("\($0)") },
    ]
  }

  /// A collection by its title and size: its tracks would fill pages.
  private static func summary(_ action: QueueAction) -> String {
    guard case .enqueue(let collection, let item) = action else { return "\(action)" }
    return
      "enqueue(\(collection.title), \(collection.tracks.count) tracks, item: \(item.map(String.init) ?? "none"))"
  }
}
