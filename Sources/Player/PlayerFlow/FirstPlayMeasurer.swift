// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import MusicModel
import Platform
import Synchronization

/// Measures whole files that are played, on a thread of its own, so that the result can be used from the next time on.
/// Whether a file has to be measured is up to the function that measures.
public final class FirstPlayMeasurer: Sendable {
  private let worker = Worker<Track?>(named: "segue-measure", nil)
  private let item = Mutex<PlayQueue.Item.ID?>(nil)
  private let subscription = Mutex<Subscription?>(nil)

  /// Creates a measurer of what `playback` plays from now on, the items of `queue`.
  ///
  /// - Parameter measure: Measures a file. It should return early when its second argument, which it calls from time to
  ///   time, returns `false`: when the player ends.
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    queue: QueueListener, playback: PlaybackStore,
    measure: @escaping @Sendable (Track, _ shouldContinue: @Sendable () -> Bool) -> Void
  ) throws {
    try worker.start(taking: { track in
      defer { track = nil }
      return track
    }) { [worker] track in measure(track) { !worker.isClosed } }
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
