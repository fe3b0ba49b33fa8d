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
    /// A track has started; reported only on request.
    case started(Listening)
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
    /// The duration as decoded, if it is known.
    public var duration: Duration?
  }

  /// The listening time of one playback of an item.
  struct ListeningTime: Sendable {
    /// How an item counts when it is left.
    enum Outcome: Equatable {
      case finished, skipped
    }

    /// The listening time after which even the longest track counts as played.
    private static let sufficientTime = Duration.seconds(240)
    /// The listening time within which a track that is left counts as skipped.
    private static let skippingTime = Duration.seconds(20)
    /// The maximum step between two positions of uninterrupted playback. Larger steps are seeks.
    private static let maximumStep = Duration.seconds(3)
    /// How close to its end a track may be left without being skipped, and how far from its beginning it may start.
    private static let tolerance = Duration.seconds(2)

    private(set) var item: PlayQueue.Item.ID?
    private(set) var total = Duration.zero
    private(set) var isCounted = false
    private var startedCount = 0
    private var startPosition = Duration.zero
    private var position = Duration.zero
    private(set) var duration: Duration?
    /// The position at which the item ends; `nil` if it is not known.
    private var end: Duration?

    /// Receives a playback state with another item, with the same one from its beginning, or in which playback has
    /// stopped. Returns how the item that played before counts; `nil` if it does not.
    mutating func leave(for state: PlaybackState) -> Outcome? {
      let isNew = state.item != item || state.startedCount != startedCount
      guard isNew || state.phase == .stopped else { return nil }
      defer {
        if isNew {
          (item, startedCount) = (state.item, state.startedCount)
          (startPosition, position) = (state.position - state.part.start, state.position)
        }
        (total, isCounted) = (.zero, false)
      }
      if isCounted { return .finished }
      guard let item, let end, state.item != item, state.phase != .stopped, total > .zero,
        total < Self.skippingTime, startPosition <= Self.tolerance, end - position > Self.tolerance,
        !state.problems.contains(where: { $0.item == item })
      else { return nil }
      return .skipped
    }

    /// Receives a playback state; returns whether its item has just reached the point at which it counts as played.
    mutating func advance(to state: PlaybackState) -> Bool {
      // While another item is requested, the position is no longer that of this one.
      guard !state.hasRequest else { return false }
      let passed = state.position - position
      (position, duration, end) = (state.position, state.duration, state.playedEnd)
      if passed > .zero, passed <= Self.maximumStep { total += passed }
      guard !isCounted, state.phase == .playing, let length = state.playedLength, length > .zero,
        total >= min(length / 2, Self.sufficientTime)
      else { return false }
      isCounted = true
      return true
    }
  }

  /// The playback that the observer changes. Safe to use from any thread.
  private final class SharedPlayback: Sendable {
    let value = Mutex(Playback())
  }

  /// The playback of an item.
  private struct Playback {
    var time = ListeningTime()
    /// The track as it was when the item started: it may leave the queue before it is counted.
    var track: Track?
    /// The time when it was first heard, in seconds since 1970; `nil` until then.
    var start: Int64?
    var origin = ""
    /// The name of the queue to which it belongs.
    var queue = QueueName.standard

    /// Returns the play with the track as it is in `queue` now: its file may have moved.
    func listening(_ queue: PlayQueue) -> Listening? {
      let present = time.item.flatMap { queue.position(of: $0) }.map { queue.items[$0].track }
      guard let track = present ?? track, let start else { return nil }
      return Listening(track: track, start: start, heard: time.total, origin: origin, duration: time.duration)
    }
  }

  private let queue: QueueListener
  private let current: SharedPlayback
  private let subscription: Subscription
  private let worker: Worker<[Event]>

  /// Creates a counter that calls `report` with each event, on a thread of its own, where `report` may block.
  ///
  /// - Parameters:
  ///   - now: Returns the time in seconds since 1970.
  ///   - reportsStarts: Returns whether starts are to be reported at present. Must not block.
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, now: @escaping @Sendable () -> Int64,
    reportsStarts: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (Event) -> Void
  ) throws {
    let worker = Worker<[Event]>(named: "segue-counter", [])
    (self.queue, self.worker) = (queue, worker)
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }, report)
    let current = SharedPlayback()
    self.current = current
    subscription = playback.observe { state in
      let queue = queue.queue
      let events = current.value.withLock { Self.receive(state, queue, now, reportsStarts, &$0) }
      if !events.isEmpty { worker.post { $0 += events } }
    }
  }

  /// Receives a playback state, and returns what is to be reported.
  private static func receive(
    _ state: PlaybackState, _ queue: PlayQueue, _ now: () -> Int64, _ reportsStarts: () -> Bool,
    _ current: inout Playback
  ) -> [Event] {
    var events: [Event] = []
    let former = current
    switch current.time.leave(for: state) {
    case .finished?: if let listening = former.listening(queue) { events.append(.finished(listening)) }
    // Whoever uses another queue has not skipped what was playing.
    case .skipped? where former.queue == queue.name:
      if let listening = former.listening(queue) { events.append(.skipped(listening.track)) }
    case .skipped?, nil: break
    }
    if former.time.item != current.time.item {
      current.track = state.item.flatMap { queue.position(of: $0) }.map { queue.items[$0].track }
      (current.origin, current.queue) = (queue.title, queue.name)
    }
    let isPlayed = current.time.advance(to: state)
    if current.time.total == .zero {
      current.start = nil
    } else if current.start == nil {
      current.start = now() - current.time.total.components.seconds
      if reportsStarts(), let listening = current.listening(queue) { events.append(.started(listening)) }
    }
    if isPlayed, let listening = current.listening(queue) { events.append(.played(listening)) }
    return events
  }

  deinit { worker.closeWhenIdle() }

  /// Stops counting, and waits at most until `deadline` until all events have been reported. What is playing ends.
  public func finish(until deadline: MonotonicInstant) {
    subscription.cancel()
    let queue = queue.queue
    let last = current.value.withLock { $0.time.isCounted ? $0.listening(queue) : nil }
    if let last { worker.post { $0.append(.finished(last)) } }
    worker.closeWhenIdle()
    join(until: deadline)
  }

  /// After ``finish(until:)``, waits at most until `deadline` until everything is recorded.
  public func join(until deadline: MonotonicInstant) { _ = worker.join(until: deadline) }
}
