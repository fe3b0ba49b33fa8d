// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import Synchronization

/// Measures how long a reader of the player's state waits, at most, while an action changes a long queue, and how long
/// the action takes in the store, which still holds the queue from before.
struct ReaderBenchmark {
  private let dispatcher = QueueDispatcher()
  private let queue: QueueListener
  private let playback: PlaybackStore

  /// Creates a player with `queue`, which is not played.
  init(_ queue: PlayQueue) {
    let store = PlayerStore(PlayerState(queue), dispatcher: dispatcher)
    (self.queue, playback) = (QueueListener(store), PlaybackStore(store))
  }

  /// Dispatches `action` while another thread reads the state all the time; returns the longest time that a read took,
  /// and the time that the action took.
  func measure(_ action: QueueAction) throws -> (read: Duration, action: Duration) {
    let before = queue.queue.version
    let reads = Reads(queue, playback)
    let reader = try WorkerThread(name: "reader") { reads.run() }
    reads.begun.wait()
    let duration = ContinuousClock().measure { dispatcher.dispatch(action) }
    reads.isOver.store(true, ordering: .releasing)
    _ = reader.join(until: .now.advanced(byMilliseconds: 60_000))
    precondition(queue.queue.version > before, "the action did nothing")
    return (reads.longest.withLock { $0 }, duration)
  }
}

/// A thread that reads the state all the time.
private final class Reads: Sendable {
  let begun = Latch()
  let isOver = Atomic(false)
  let longest = Mutex(Duration.zero)
  private let queue: QueueListener
  private let playback: PlaybackStore

  init(_ queue: QueueListener, _ playback: PlaybackStore) { (self.queue, self.playback) = (queue, playback) }

  func run() {
    let clock = ContinuousClock()
    var longest = Duration.zero
    begun.open()
    while !isOver.load(ordering: .acquiring) {
      longest = max(longest, clock.measure { _ = (queue.queue.version, playback.state.phase) })
    }
    self.longest.withLock { $0 = longest }
  }
}
