extension PlayQueue {
  /// One entry: a track may stand in the queue more than once.
  public struct Item: Sendable, Hashable, Identifiable {
    /// What tells an item from every other that this queue has held.
    public struct ID: Sendable, Hashable, Comparable {
      /// The number, from 1 in the order of entering.
      public let rawValue: UInt64

      /// The id with this number.
      public init(rawValue: UInt64) { self.rawValue = rawValue }

      /// Earlier entrants come first.
      public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// What tells it from the others.
    public let id: ID
    /// What is played.
    public let track: Track
    /// Under random, those of a higher one are played first.
    public let priority: UInt8
    /// Whether its file was gone when it was looked for last.
    public let isGone: Bool

    /// An entry for `track` under `id`.
    public init(id: ID, track: Track, priority: UInt8 = 0, isGone: Bool = false) {
      self.id = id
      self.track = track
      self.priority = priority
      self.isGone = isGone
    }
  }

  /// The items of a queue by position.
  public struct Items: Sendable, Equatable, RandomAccessCollection {
    private var storage: [Item] = []

    init(_ items: [Item] = []) { storage = items }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { storage.count }

    /// The item at `position`, an index of this collection.
    public subscript(position: Int) -> Item { storage[position] }
  }
}
