import FoundationEssentials
import MusicModel
import QueueFlow

/// An event as clients that watch are told it: one line of JSON.
struct WatchedEvent: Sendable {
  /// The line, without its end.
  let line: String

  /// The line of `event`.
  init(_ event: PlayerEvent) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    line = (try? encoder.encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// So many events are missing.
  static func missed(_ count: Int) -> WatchedEvent {
    var event = PlayerEvent(.missed)
    event.count = count
    return WatchedEvent(event)
  }

  /// All of the state of `player`.
  static func status(of player: RemotePlayer) -> WatchedEvent {
    let queue = player.queue.queue
    var event = PlayerEvent(.status)
    event.status = PlayerStatus(
      player.playback.state, queue: queue, elapsed: queue.current.flatMap { player.playback.heard(of: $0.id) }
    )
    return WatchedEvent(event)
  }
}
