/// The tracks that are played one after the other, and which of them is current: a pure value.
///
/// An item has an *id*, which it keeps as long as it is in the queue and which is never used again, and a
/// *position*, its index, from 0. ``reduce(_:)`` is the only way to change a queue.
public struct PlayQueue: Sendable, Equatable {
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

    /// An entry for `track` under `id`.
    public init(id: ID, track: Track) {
      self.id = id
      self.track = track
    }
  }

  /// The title of the collection that was loaded last, "" for a queue that was never filled.
  public private(set) var title = ""
  /// The items by position.
  public private(set) var items: [Item] = []
  /// The position of the item that plays, or would go on playing; always an index of ``items``.
  public private(set) var currentPosition: Int?
  /// Rises by one with every action that changed anything.
  public private(set) var version: UInt64 = 0
  private var lastID: UInt64 = 0

  /// An empty queue.
  public init() {}

  /// The item at ``currentPosition``.
  public var current: Item? { currentPosition.map { items[$0] } }

  /// How long the items last in all, as far as that is known.
  public var duration: Duration { items.reduce(.zero) { $0 + ($1.track.duration ?? .zero) } }

  /// The position of the item with this id, or `nil` if the queue does not hold it.
  public func position(of id: Item.ID) -> Int? {
    // Ids rise with the position as long as a queue is only ever loaded whole.
    var lower = items.startIndex
    var upper = items.endIndex
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if items[middle].id < id { lower = middle + 1 } else { upper = middle }
    }
    return lower < items.endIndex && items[lower].id == id ? lower : nil
  }

  /// The item that is played after the one with this id, or `nil` after the last one.
  public func item(after id: Item.ID) -> Item? {
    guard let position = position(of: id), position + 1 < items.count else { return nil }
    return items[position + 1]
  }

  /// Whether the item with this id is played as a part of its album, in the album's order: the one after it continues the album,
  /// or it continues that of the one before.
  public func playsAlbumInOrder(_ id: Item.ID) -> Bool {
    guard let position = position(of: id) else { return false }
    let track = items[position].track
    return item(after: id).map { track.isContinued(by: $0.track) } ?? false
      || item(before: id).map { $0.track.isContinued(by: track) } ?? false
  }

  /// The item that is played before the one with this id, or `nil` before the first one.
  public func item(before id: Item.ID) -> Item? {
    guard let position = position(of: id), position > 0 else { return nil }
    return items[position - 1]
  }

  /// The queue after `action`; what does not apply changes nothing.
  public mutating func reduce(_ action: QueueAction) {
    switch action {
    case .enqueue(let collection, let item):
      title = collection.title
      items = collection.tracks.enumerated().map { index, track in
        Item(id: Item.ID(rawValue: lastID + UInt64(index) + 1), track: track)
      }
      lastID += UInt64(items.count)
      currentPosition = item.flatMap { items.indices.contains($0) ? $0 : nil }
    case .play(let id), .advanced(to: let id):
      guard let position = position(of: id) else { return }
      currentPosition = position
    case .finished:
      guard currentPosition != nil else { return }
      currentPosition = nil
    }
    version += 1
  }
}
