// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import MusicModel
import Platform
import Synchronization

/// Lets whole files be measured when they start to play, on a thread of its own. A measurement ends early when the next
/// file starts. Whether a file has to be measured is up to the function that measures.
public final class FirstPlayMeasurer: Sendable {
  private let worker = Worker<Track?>(named: "segue-measure", nil)
  private let item = Mutex<PlayQueue.Item.ID?>(nil)
  private let subscription = Mutex<Subscription?>(nil)

  /// Creates a measurer of what `playback` plays from now on, the items of `queue`.
  ///
  /// - Parameter measure: Measures a file. It should return early when its second argument, which it calls from time to
  ///   time, returns `false`.
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    queue: QueueListener, playback: PlaybackStore,
    measure: @escaping @Sendable (Track, _ shouldContinue: @Sendable () -> Bool) -> Void
  ) throws {
    try worker.start(taking: { track in
      defer { track = nil }
      return track
    }) { [worker] track in measure(track) { !worker.isClosed && worker.withPending { $0 == nil } } }
    let observation = playback.observe { [weak self] state in
      // A requested item has not started yet, and may never do so.
      guard let self, state.phase == .playing, !state.hasRequest, let started = state.openItem, isNew(started),
        let track = queue.queue.item(started)?.track, track.segment == nil, StreamAddress(track.path) == nil
      else { return }
      worker.post { $0 = track }
    }
    subscription.withLock { $0 = observation }
  }

  deinit { end() }

  /// Returns whether this item was not playing before.
  private func isNew(_ started: PlayQueue.Item.ID) -> Bool {
    item.withLock { item in
      defer { item = started }
      return item != started
    }
  }

  /// Ends the measurement in progress.
  public func end() {
    subscription.withLock { $0 = nil }
    worker.close()
  }
}
