// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import MusicModel
import Platform
import Synchronization

/// Counts a track as played once the user has listened to half of it, or to four minutes, as scrobbling services do.
///
/// Parts that are skipped by seeking do not count.
public final class PlayCounter: Sendable {
  /// The listening time of one playback of an item.
  struct ListeningTime: Sendable {
    /// The listening time after which even the longest track counts as played.
    private static let sufficientTime = Duration.seconds(240)
    /// The maximum step between two positions of uninterrupted playback. Larger steps are seeks.
    private static let maximumStep = Duration.seconds(3)

    private var item: PlayQueue.Item.ID?
    private var startedCount = 0
    private var position = Duration.zero
    private var total = Duration.zero
    private var isCounted = false

    /// Receives a playback state; returns whether its item has just reached the point at which it counts as played.
    mutating func receive(_ state: PlaybackState) -> Bool {
      if state.item != item || state.startedCount != startedCount {
        (item, startedCount, position) = (state.item, state.startedCount, state.position)
        (total, isCounted) = (.zero, false)
      }
      let passed = state.position - position
      position = state.position
      if passed > .zero, passed <= Self.maximumStep { total += passed }
      guard !isCounted, state.phase == .playing, let duration = state.duration, duration > .zero,
        total >= min(duration / 2, Self.sufficientTime)
      else { return false }
      isCounted = true
      return true
    }
  }

  private let subscription: Subscription
  private let worker: Worker<[Track]>

  /// Creates a counter that calls `count` with each track that was played, on a thread of its own, where `count` may
  /// block.
  ///
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, count: @escaping @Sendable (Track) -> Void
  ) throws {
    let worker = Worker<[Track]>(named: "segue-counter", [])
    self.worker = worker
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }, count)
    let listeningTime = Mutex(ListeningTime())
    subscription = playback.observe { state in
      guard listeningTime.withLock({ $0.receive(state) }), let id = state.item else { return }
      let queue = queue.queue
      if let position = queue.position(of: id) { worker.post { $0.append(queue.items[position].track) } }
    }
  }

  deinit { worker.closeWhenIdle() }
}
