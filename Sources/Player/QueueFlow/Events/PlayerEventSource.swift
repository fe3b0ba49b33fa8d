import Flux
import MusicModel
import Synchronization

/// Follows the stores, and tells what happens, one event after the other.
public final class PlayerEventSource: Sendable {
  private let subscriptions: [Subscription]

  /// A source that calls `tell` with each event: on delivering threads, one call at a time for each store. What is
  /// already so is no event.
  public init(
    queue: QueueListener, playback: PlaybackStore, library: LibraryStore?,
    tell: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    let queues = Mutex<PlayQueue?>(nil)
    let states = Mutex<PlaybackFollower?>(nil)
    let readings = Mutex<(state: LibraryState, news: News)?>(nil)
    var subscriptions = [
      queue.observe { new in
        let before = queues.withLock { last in
          defer { last = new }
          return last
        }
        if let before { for event in PlayerEvent.events(from: before, to: new) { tell(event) } }
      },
      playback.observe { new in
        let events = states.withLock { follower -> [PlayerEvent] in
          guard follower != nil else {
            follower = PlaybackFollower(new)
            return []
          }
          return follower?.take(new, queue.queue) ?? []
        }
        for event in events { tell(event) }
      },
    ]
    if let library {
      subscriptions.append(
        library.observe { new in
          let events = readings.withLock { last -> [PlayerEvent] in
            var (before, news) = last ?? (new, News())
            let lines = news.take(from: new)
            defer { last = (new, news) }
            guard last != nil else { return [] }
            return PlayerEvent.events(from: before, to: new) + lines.map { PlayerEvent(problem: $0) }
          }
          for event in events { tell(event) }
        })
    }
    self.subscriptions = subscriptions
  }
}

/// What was seen last of playing.
private struct PlaybackFollower: Sendable {
  private var state: PlaybackState
  private var news = News()

  init(_ state: PlaybackState) {
    self.state = state
    // What went wrong before is told by the status.
    _ = news.take(from: state)
  }

  /// What happened until `new`.
  mutating func take(_ new: PlaybackState, _ queue: PlayQueue) -> [PlayerEvent] {
    defer { state = new }
    return PlayerEvent.events(from: state, to: new, queue)
      + news.take(from: new).map { PlayerEvent(problem: $0) }
  }
}
