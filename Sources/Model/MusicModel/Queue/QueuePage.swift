/// A piece of a queue that never changes: what an edit leaves alone is shared by the queue before and the queue after
/// it.
///
/// Whoever keeps queues writes each page once: pages are told apart by identity.
public final class QueuePage: Sendable {
  /// What pages hold.
  enum Kind: Sendable, Equatable {
    /// Items by position.
    case items
    /// Ids in the playing order of this mode.
    case order(QueueModes.Random)
    /// Tracks.
    case tracks
    /// Nothing that makes sense.
    case damaged
  }

  /// How many items or ids a page holds at most.
  static let capacity = 512

  /// What this page holds.
  let kind: Kind
  /// The items of a page of items.
  let entries: [QueueEntry]
  /// The ids of a page of these.
  let ids: [UInt64]
  /// The tracks of a page of tracks.
  let tracks: PackedTracks?
  /// The lowest and the highest number of an item; of a page without any, no number is between them.
  let bounds: (low: UInt64, high: UInt64)
  /// The lowest and the highest number of a page that the tracks of a page of items are on; of a page without any, none
  /// is between them.
  let tracksBounds: (low: UInt32, high: UInt32)
  /// Whether an item is to be played next, is gone, or has a priority.
  let marks: (next: Bool, gone: Bool, priority: Bool)
  private let damaged: [UInt8]

  /// The page that was kept as `bytes`.
  ///
  /// For damaged bytes it is a page that no queue accepts.
  public init(bytes: [UInt8]) {
    let form = QueuePage.read(bytes)
    (kind, entries, ids, tracks) = form
    bounds = kind == .items ? Self.bounds(entries) : Self.bounds(ids)
    (marks, tracksBounds) = Self.summary(entries)
    damaged = kind == .damaged ? bytes : []
  }

  /// A page of these items.
  init(_ entries: [QueueEntry]) {
    (kind, self.entries, ids, tracks, damaged) = (.items, entries, [], nil, [])
    bounds = Self.bounds(entries)
    (marks, tracksBounds) = Self.summary(entries)
  }

  /// A page of these ids.
  init(_ ids: [UInt64], _ random: QueueModes.Random) {
    (kind, entries, self.ids, tracks, damaged) = (.order(random), [], ids, nil, [])
    bounds = Self.bounds(ids)
    (marks, tracksBounds) = Self.summary([])
  }

  /// The page in a form to be kept. It is made anew each time that it is asked for, except that of tracks.
  public var bytes: [UInt8] {
    switch kind {
    case .items: Self.write(entries)
    case .order(let random): Self.write(ids, random)
    case .tracks: tracks?.bytes ?? []
    case .damaged: damaged
    }
  }

  private static func bounds(_ elements: [some QueuePageElement]) -> (low: UInt64, high: UInt64) {
    var (low, high) = (UInt64.max, UInt64.min)
    for element in elements {
      low = Swift.min(low, element.id)
      high = Swift.max(high, element.id)
    }
    return (low, high)
  }

  private static func summary(
    _ entries: [QueueEntry]
  ) -> (marks: (next: Bool, gone: Bool, priority: Bool), tracksBounds: (low: UInt32, high: UInt32)) {
    var (next, gone, priority) = (false, false, UInt8(0))
    var (low, high) = (UInt32.max, UInt32.min)
    for entry in entries {
      low = Swift.min(low, entry.page)
      high = Swift.max(high, entry.page)
      next = next || entry.isNext
      gone = gone || entry.isGone
      priority |= entry.priority
    }
    return ((next, gone, priority > 0), (low, high))
  }
}
