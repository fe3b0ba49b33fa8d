import MusicModel
import Platform

/// What lies before the keeper's thread.
struct PersistenceState {
  /// How far the item that is heard, or was heard last, has come.
  struct Place: Equatable {
    var item: PlayQueue.Item.ID
    var position: Duration
  }

  /// How long the place that was written may be old. It is reported once a second: every report counts.
  static let placeMilliseconds: UInt64 = 400

  /// Whether the queue may be another than the one that was written.
  var isQueueNews = false
  /// Whether what plays may be something else than before, or louder.
  var isStateNews = false
  /// Whether ``place`` is to be written.
  var isPlaceDue = false
  /// What was heard last, unless nothing was.
  private(set) var place: Place?
  /// Where the queue says that its current item is to go on.
  private var queuePlace: Place?
  /// Who waits for all of this to be on the disk.
  var flushes: [Latch] = []
  /// Whether somebody waits for what was kept.
  var isHurried = false
  /// Whether it is to end.
  var isEnding = false
  /// Why something could not be written last.
  var fault: QueueFault?
  /// What the user was not told yet.
  var notices: [String] = []

  private var known = PlaybackState()
  private var knownSince: MonotonicInstant
  private var placeTime: MonotonicInstant

  /// A desk at which nothing lies at `now`.
  init(at now: MonotonicInstant) {
    knownSince = now
    placeTime = now
  }

  /// Whether something is to be written.
  var hasWork: Bool { isQueueNews || isStateNews || isPlaceDue || !flushes.isEmpty }
  /// Whether there is something to write that can wait for more to come.
  var mayWait: Bool { (isQueueNews || isStateNews) && flushes.isEmpty && !isEnding }

  /// Takes a new queue.
  mutating func take(_ queue: PlayQueue) {
    isQueueNews = true
    let new = queue.current.map { Place(item: $0.id, position: queue.heard) }
    guard new != queuePlace else { return }
    // The queue knows itself how much was heard.
    queuePlace = new
    place = nil
    isPlaceDue = isPlaceDue || known.phase == .stopped
  }

  /// Takes a state that came at `now`; gives whether there is something to write.
  mutating func take(_ new: PlaybackState, at now: MonotonicInstant) -> Bool {
    let passed = Duration.nanoseconds(Int64(clamping: now.nanoseconds - knownSince.nanoseconds))
    // What the one before has become by itself is no news.
    let isNews = !new.isExpected(after: known, passed)
    if isNews {
      isStateNews = true
      known = new
      knownSince = now
    }
    // What begins amid an item stands at 0 until it is heard.
    if let item = new.item, new.phase != .stopped, new.position != .zero || place?.item == item {
      place = Place(item: item, position: new.position)
      if isNews || placeTime.advanced(byMilliseconds: Self.placeMilliseconds) <= now {
        isPlaceDue = true
        placeTime = now
      }
    }
    return isNews || isPlaceDue
  }

  /// How much of the current item of `queue` was heard.
  func heard(of queue: PlayQueue) -> Duration {
    guard let place, place.item == queue.current?.id else { return queue.heard }
    return place.position
  }
}
