// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import MusicModel
public import Platform
import Synchronization

/// Reports the plays and the skips of tracks.
///
/// A track counts as played once the user has listened to half of it, or to four minutes, as for scrobbling services.
/// It counts as skipped if the user went to another one within its first 20 seconds of listening. Parts that are
/// skipped by seeking do not count as listening.
public final class PlayCounter: Sendable {
  /// What a listener has done.
  public enum Event: Sendable, Equatable {
    /// A track counts as played.
    case played(Listening)
    /// A track that counts as played is playing no longer.
    case finished(Listening)
    case skipped(Track)
  }

  /// A play of a track.
  public struct Listening: Sendable, Equatable {
    public let track: Track
    /// The time when the play began, in seconds since 1970.
    public let start: Int64
    /// How much of the track was heard so far.
    public let heard: Duration
    /// The title of what was in the queue; empty if it had none.
    public let origin: String
  }

  /// The listening time of one playback of an item.
  struct ListeningTime: Sendable {
    /// What leaving an item says of it.
    enum Outcome: Equatable {
      case finished, skipped
    }

    /// The listening time after which even the longest track counts as played.
    private static let sufficientTime = Duration.seconds(240)
    /// The listening time within which a track that is left counts as skipped.
    private static let skippingTime = Duration.seconds(20)
    /// The maximum step between two positions of uninterrupted playback. Larger steps are seeks.
    private static let maximumStep = Duration.seconds(3)
    /// How close to its end a track may be left without being skipped.
    private static let endTime = Duration.seconds(2)

    private(set) var item: PlayQueue.Item.ID?
    private(set) var total = Duration.zero
    private var startedCount = 0
    private var position = Duration.zero
    private var duration: Duration?
    private var isCounted = false

    /// Receives a playback state with another item, with the same one from its beginning, or in which playback has
    /// stopped. Returns what this says of the item that played before; `nil` if nothing.
    mutating func leave(for state: PlaybackState) -> Outcome? {
      let hasStopped = isCounted && state.phase == .stopped
      guard state.item != item || state.startedCount != startedCount || hasStopped else { return nil }
      defer {
        (item, startedCount, position) = (state.item, state.startedCount, state.position)
        (total, isCounted) = (.zero, false)
      }
      if isCounted { return .finished }
      guard let item, let duration, state.item != item, state.phase != .stopped, total < Self.skippingTime,
        duration - position > Self.endTime, !state.problems.contains(where: { $0.item == item })
      else { return nil }
      return .skipped
    }

    /// Receives a playback state; returns whether its item has just reached the point at which it counts as played.
    mutating func advance(to state: PlaybackState) -> Bool {
      let passed = state.position - position
      (position, duration) = (state.position, state.duration)
      if passed > .zero, passed <= Self.maximumStep { total += passed }
      guard !isCounted, state.phase == .playing, let duration, duration > .zero,
        total >= min(duration / 2, Self.sufficientTime)
      else { return false }
      isCounted = true
      return true
    }
  }

  /// The playback of an item, with its track, which may leave the queue before it is counted.
  private struct Playback {
    var time = ListeningTime()
    var track: Track?
    var start: Int64 = 0
    var origin = ""

    var listening: Listening? {
      track.map { Listening(track: $0, start: start, heard: time.total, origin: origin) }
    }
  }

  private let subscription: Subscription
  private let worker: Worker<[Event]>

  /// Creates a counter that calls `report` with each event, on a thread of its own, where `report` may block.
  ///
  /// - Parameter now: Returns the time in seconds since 1970.
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (Event) -> Void
  ) throws {
    let worker = Worker<[Event]>(named: "segue-counter", [])
    self.worker = worker
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }, report)
    let current = Mutex(Playback())
    subscription = playback.observe { state in
      current.withLock { current in
        let former = current
        var event: Event?
        switch current.time.leave(for: state) {
        case .finished?: event = former.listening.map { .finished($0) }
        case .skipped?: event = former.track.map { .skipped($0) }
        case nil: break
        }
        if former.time.item != current.time.item {
          let queue = queue.queue
          current.track = state.item.flatMap { queue.position(of: $0) }.map { queue.items[$0].track }
          (current.start, current.origin) = (now(), queue.title)
        } else if former.time.total > .zero, current.time.total == .zero {
          current.start = now()
        }
        if let event { worker.post { $0.append(event) } }
        if current.time.advance(to: state), let listening = current.listening {
          worker.post { $0.append(.played(listening)) }
        }
      }
    }
  }

  deinit { worker.closeWhenIdle() }

  /// Stops counting, and waits at most until `deadline` until all events have been reported.
  public func finish(until deadline: MonotonicInstant) {
    subscription.cancel()
    worker.closeWhenIdle()
    _ = worker.join(until: deadline)
  }
}
