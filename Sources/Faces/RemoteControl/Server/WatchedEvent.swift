import QueueFlow

/// An event as clients that watch are told it: one line of JSON.
struct WatchedEvent: Sendable {
  /// The line, without its end.
  let line: String

  /// The line of `event`.
  init(_ event: PlayerEvent) {
    line = JSONLine.text(event)
  }

  /// So many events are missing.
  static func missed(_ count: Int) -> WatchedEvent {
    var event = PlayerEvent(.missed)
    event.count = count
    return WatchedEvent(event)
  }

  /// All of the state of `player`.
  static func status(of player: RemotePlayer) -> WatchedEvent {
    var event = PlayerEvent(.status)
    event.status = player.status
    return WatchedEvent(event)
  }
}
