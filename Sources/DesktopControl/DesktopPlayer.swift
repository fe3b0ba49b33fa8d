import Flux
import Platform
public import QueueFlow

/// Shows a player on the session bus as `org.mpris.MediaPlayer2.segue`, so that the desktop's keys, panels and
/// `playerctl` control it (MPRIS 2.2).
///
/// Without libsystemd, or a session bus, nothing is shown and nothing said. Neither is looked for before the first
/// sound, or before a moment has passed in which nothing was asked to play. From any thread.
public final class DesktopPlayer: Sendable {
  /// How long the end waits for a bus that does not answer.
  private static let endMilliseconds: UInt64 = 500

  private let loop: BusLoop?
  private let thread: WorkerThread?
  private let subscriptions: [Subscription]

  /// Shows the player whose stores these are, until ``shutDown()``.
  public convenience init(queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator) {
    self.init(queue: queue, playback: playback, actions: actions, address: nil)
  }

  /// Shows the player on the bus at `address`, or on the session's where that is `nil`.
  init(queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, address: String?) {
    let face = PlayerFace(queue: queue, playback: playback, actions: actions)
    guard address != nil || BusConnection.isLikely, let loop = BusLoop(face, address: address) else {
      (loop, thread, subscriptions) = (nil, nil, [])
      return
    }
    self.loop = loop
    thread = try? WorkerThread(name: "segue-desktop") { loop.run() }
    subscriptions = [queue.observe { _ in loop.note() }, playback.observe { _ in loop.note() }]
  }

  deinit { loop?.end() }

  /// Leaves the bus; waits for that a moment at most.
  public func shutDown() { _ = shutDown(within: Self.endMilliseconds) }

  /// Leaves the bus; waits for that so long at most, and returns whether it has left.
  func shutDown(within milliseconds: UInt64) -> Bool {
    for subscription in subscriptions { subscription.cancel() }
    loop?.end()
    return thread?.join(until: .now.advanced(byMilliseconds: milliseconds)) ?? true
  }
}
