import MusicModel
import Platform

/// The pending work of the persistence thread.
struct PersistenceState {
  /// The elapsed time of the item that is playing, or played last.
  struct Place: Equatable {
    var item: PlayQueue.Item.ID
    var position: Duration
  }

  /// How old the stored position may become, in milliseconds. Positions are reported once a second, so every report is
  /// written.
  static let placeMilliseconds: UInt64 = 400

  /// Whether the queue may differ from the stored one.
  var isQueueNews = false
  /// Whether the playback state or the volume may differ from the stored one.
  var isStateNews = false
  /// Whether ``place`` has to be written.
  var isPlaceDue = false
  /// The position in the item that played last, or `nil` if nothing has played.
  private(set) var place: Place?
  /// The position from which the queue resumes its current item.
  private var queuePlace: Place?
  /// The latches to open when all of this is on the disk.
  var flushes: [Latch] = []
  /// Whether a caller waits for the stored queue.
  var isHurried = false
  /// Whether the thread should end.
  var isEnding = false
  /// The error of the last write, if it failed.
  var fault: QueueFault?
  /// Messages that the user has not seen yet.
  var notices: [String] = []

  private var known = PlaybackState()
  private var knownSince: MonotonicInstant
  private var placeTime: MonotonicInstant

  /// Creates a state without pending work at `now`.
  init(at now: MonotonicInstant) {
    knownSince = now
    placeTime = now
  }

  /// Whether there is something to write.
  var hasWork: Bool { isQueueNews || isStateNews || isPlaceDue || !flushes.isEmpty }
  /// Whether there is something to write that may wait for further changes.
  var mayWait: Bool { (isQueueNews || isStateNews) && flushes.isEmpty && !isEnding }

  /// Receives a new queue.
  mutating func take(_ queue: PlayQueue) {
    isQueueNews = true
    let new = queue.current.map { Place(item: $0.id, position: queue.heard) }
    guard new != queuePlace else { return }
    // The queue itself knows the elapsed time of its current item.
    queuePlace = new
    place = nil
    isPlaceDue = isPlaceDue || known.phase == .stopped
  }

  /// Receives a playback state that was published at `now`. Returns whether there is something to write.
  mutating func take(_ new: PlaybackState, at now: MonotonicInstant) -> Bool {
    let passed = Duration.nanoseconds(Int64(clamping: now.nanoseconds - knownSince.nanoseconds))
    // The ordinary progress of the previous state needs no immediate write.
    let isNews = !new.isExpected(after: known, passed)
    if isNews {
      isStateNews = true
      known = new
      knownSince = now
    }
    // An item that was requested and has not started yet is the current one of the queue.
    let latest: Place? =
      if let position = new.requestedPosition {
        queuePlace.map { Place(item: $0.item, position: position) }
      } else if new.phase != .stopped {
        new.item.map { Place(item: $0, position: new.position) }
      } else {
        nil
      }
    if let latest {
      place = latest
      if isNews || placeTime.advanced(byMilliseconds: Self.placeMilliseconds) <= now {
        isPlaceDue = true
        placeTime = now
      }
    }
    return isNews || isPlaceDue
  }

  /// Returns the elapsed time of the current item of `queue`.
  func heard(of queue: PlayQueue) -> Duration {
    guard let place, place.item == queue.current?.id else { return queue.heard }
    return place.position
  }
}
