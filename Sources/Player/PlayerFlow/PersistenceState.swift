// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform

/// The pending work of the persistence thread.
struct PersistenceState {
  /// The elapsed time of the item that is playing, or played last.
  struct ItemPosition: Equatable {
    var item: PlayQueue.Item.ID
    var position: Duration
  }

  /// How old the stored position may become, in milliseconds. Positions are reported once a second, so every report is
  /// written.
  static let maximumElapsedAge: UInt64 = 400

  /// Whether the queue may differ from the stored one.
  var isQueueChanged = false
  /// Whether the playback state or the volume may differ from the stored one.
  var isStateChanged = false
  var isElapsedDue = false
  /// The position in the item that is playing or played last; `nil` if nothing has played.
  private(set) var elapsed: ItemPosition?
  /// The position at which the queue would resume its current item; `nil` if it has none.
  private var queueElapsed: ItemPosition?
  /// The latches to open when everything pending is on disk.
  var flushes: [Latch] = []
  /// Whether a caller is waiting for the stored queue.
  var isQueueAwaited = false
  /// Whether the thread should end.
  var isEnding = false
  /// The error of the last write; `nil` if it succeeded.
  var error: QueueStorageError?
  /// Messages that the user has not seen yet.
  var notices: [String] = []

  private var lastState = PlaybackState()
  private var lastStateInstant: MonotonicInstant
  private var elapsedDueTime: MonotonicInstant

  /// Creates a state without pending work at `now`.
  init(at now: MonotonicInstant) {
    lastStateInstant = now
    elapsedDueTime = now
  }

  var hasWork: Bool { isQueueChanged || isStateChanged || isElapsedDue || !flushes.isEmpty }
  /// Whether there is anything to write that may wait for further changes.
  var mayWait: Bool { (isQueueChanged || isStateChanged) && flushes.isEmpty && !isEnding }

  mutating func receive(_ queue: PlayQueue) {
    isQueueChanged = true
    let new = queue.current.map { ItemPosition(item: $0.id, position: queue.elapsed) }
    guard new != queueElapsed else { return }
    // The queue itself knows the elapsed time of its current item.
    queueElapsed = new
    elapsed = nil
    isElapsedDue = isElapsedDue || lastState.phase == .stopped
  }

  /// Receives a playback state that was published at `now`; returns whether there is anything to write.
  mutating func receive(_ new: PlaybackState, at now: MonotonicInstant) -> Bool {
    let passed = Duration.nanoseconds(Int64(clamping: now.nanoseconds - lastStateInstant.nanoseconds))
    // The usual progress of the previous state needs no immediate write.
    let isChanged = !new.isExpected(after: lastState, passed)
    if isChanged {
      isStateChanged = true
      lastState = new
      lastStateInstant = now
    }
    // An item that was requested and has not started yet is the current one of the queue.
    let latest: ItemPosition? =
      if new.hasRequest {
        queueElapsed.map { ItemPosition(item: $0.item, position: new.requestedPosition) }
      } else if new.phase != .stopped {
        new.item.map { ItemPosition(item: $0, position: new.position) }
      } else {
        nil
      }
    if let latest {
      elapsed = latest
      if isChanged || elapsedDueTime.advanced(byMilliseconds: Self.maximumElapsedAge) <= now {
        isElapsedDue = true
        elapsedDueTime = now
      }
    }
    return isChanged || isElapsedDue
  }

  /// Returns the elapsed time of the current item. It may be more recent than the time stored in `queue`.
  func elapsed(in queue: PlayQueue) -> Duration {
    guard let elapsed, elapsed.item == queue.current?.id else { return queue.elapsed }
    return elapsed.position
  }
}
