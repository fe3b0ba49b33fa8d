// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  /// An item of the queue. The same track can be in the queue more than once.
  public struct Item: Sendable, Hashable, Identifiable {
    /// The ID of an item, unique among all items that the queue has ever contained.
    public struct ID: Sendable, Hashable, Comparable {
      /// The number of the item: items are counted from 1, in the order in which they were added to the queue.
      public let rawValue: UInt64

      public init(rawValue: UInt64) { self.rawValue = rawValue }

      /// Whether the item `left` was added to the queue before `right`.
      public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// The item's ID.
    public let id: ID
    public var track: Track
    /// The priority, from 0 to 255. In random order, items of a higher priority are played first.
    public let priority: UInt8
    /// Whether the file was missing when it was last checked.
    public let isMissing: Bool
    /// Whether the item was added because of ``QueueModes/keepPlaying``.
    public let isRefill: Bool

    /// Creates an item for `track`.
    public init(id: ID, track: Track, priority: UInt8 = 0, isMissing: Bool = false, isRefill: Bool = false) {
      self.id = id
      self.track = track
      self.priority = priority
      self.isMissing = isMissing
      self.isRefill = isRefill
    }
  }

  /// The items of a queue, in the order of their positions. Each item is created on access.
  public struct Items: Sendable, RandomAccessCollection {
    let list: PageList<QueueEntry>
    let table: TrackTable

    /// The first index, 0.
    public var startIndex: Int { 0 }
    /// The index after the last item; equal to the number of items.
    public var endIndex: Int { list.count }

    /// The item at `position`, an index of this collection.
    public subscript(position: Int) -> Item {
      precondition(position >= 0 && position < endIndex, "no item at position \(position)")
      return item(list[position])
    }

    /// Returns the ID of the item at `position`, an index of this collection.
    public func id(at position: Int) -> Item.ID { Item.ID(rawValue: list[position].id) }

    /// Returns the total duration of the items at these positions, as far as their durations are known.
    public func duration(of positions: Range<Int>) -> Duration {
      var sum = Duration.zero
      var last: (page: UInt32, tracks: PackedTracks)?
      visit(positions) { entry in
        let tracks = if let last, last.page == entry.page { last.tracks } else { tracks(entry) }
        if last?.page != entry.page { last = (entry.page, tracks) }
        sum += tracks.duration(Int(entry.index)) ?? .zero
      }
      return sum
    }

    func item(_ entry: QueueEntry) -> Item {
      Item(
        id: Item.ID(rawValue: entry.id), track: tracks(entry).track(Int(entry.index)),
        priority: entry.priority,
        isMissing: entry.isMissing, isRefill: entry.isRefill)
    }

    /// Returns the page of tracks that contains the track of an entry.
    func tracks(_ entry: QueueEntry) -> PackedTracks {
      guard let tracks = table[entry.page]?.tracks else {
        preconditionFailure("the queue has no track for item \(entry.id)")
      }
      return tracks
    }

    /// Calls `body` with the entries at these positions. If `pages` is given, only entries with tracks on those pages
    /// are visited.
    func visit(_ positions: Range<Int>, pages: NumberSet? = nil, _ body: (QueueEntry) -> Void) {
      guard !positions.isEmpty else { return }
      var found: [Int] = []
      var number = list.ends.firstIndex(above: positions.lowerBound)
      while number < list.pages.count, list.start(number) < positions.upperBound {
        let start = list.start(number)
        let page = list.pages[number]
        let entries = page.entries
        let part = positions.clamped(to: start..<list.ends[number])
        let (low, high) = (UInt64(page.tracksBounds.low), UInt64(page.tracksBounds.high))
        if pages?.mayContainAny(from: low, to: high) ?? false {
          pages?.find(in: entries, { UInt64($0.page) }, into: &found)
          for index in found where part.contains(start + index) { body(entries[index]) }
        } else if pages == nil {
          for entry in entries[part.lowerBound - start..<part.upperBound - start] { body(entry) }
        }
        number += 1
      }
    }
  }
}

extension PlayQueue {
  /// Returns the first item that was added with `tracks` since `earlier`, an older version of this queue. Returns `nil`
  /// if they were not added, or if that item has been removed.
  public func firstItem(of tracks: TrackList, since earlier: PlayQueue) -> Item? {
    guard let first = tracks.pages.first else { return nil }
    for page in contents.items.pages where page.bounds.high > earlier.lastID {
      for entry in page.entries
      where entry.id > earlier.lastID && entry.index == 0 && table[entry.page] === first {
        return items.item(entry)
      }
    }
    return nil
  }
}

extension PlayQueue.Items: Equatable {
  /// Whether both collections have the same items in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count
      && (left.list.pages.elementsEqual(right.list.pages, by: ===) || left.elementsEqual(right))
  }
}

extension PlayQueue {
  /// The IDs of the items that are marked as missing, in the order of their positions. This is fast if there are few.
  public var missingItems: [Item.ID] {
    contents.items.pages.lazy.filter(\.marks.missing).flatMap(\.entries).filter(\.isMissing).map {
      Item.ID(rawValue: $0.id)
    }
  }
}

/// The numbered pages of tracks that queue items refer to, and the albums on these pages.
struct TrackTable: Sendable {
  private(set) var pages: [UInt32: QueuePage] = [:]
  /// The page numbers in the order of insertion, each with its end index in ``albums``.
  private var rows: [(number: UInt32, end: Int)] = []
  /// The hashes of the albums on each page, page after page. A contiguous array is much faster to search than the
  /// pages.
  private var albums: [UInt16] = []

  init(_ pages: [UInt32: QueuePage] = [:]) {
    self.pages.reserveCapacity(pages.count)
    for (number, page) in pages { insert(page, at: number) }
  }

  var count: Int { pages.count }

  /// The page with this number; `nil` if there is none.
  subscript(number: UInt32) -> QueuePage? { pages[number] }

  /// Adds a page under an unused number.
  mutating func insert(_ page: QueuePage, at number: UInt32) {
    pages[number] = page
    for key in page.tracks?.albums ?? [] { albums.append(Self.hash(key)) }
    rows.append((number, albums.count))
  }

  /// Replaces pages by others whose tracks are in the same order.
  mutating func replace(_ changed: [UInt32: QueuePage]) { self = TrackTable(pages.merging(changed) { $1 }) }

  func pageNumbers(withAlbums wanted: [UInt64]) -> NumberSet {
    let (set, hashes) = (NumberSet(wanted), NumberSet(wanted.map { UInt64(Self.hash($0)) }))
    var numbers: [UInt64] = []
    var start = 0
    for row in rows {
      if albums[start..<row.end].contains(where: { hashes.contains(UInt64($0)) }),
        pages[row.number]?.tracks?.hasAlbum(in: set) ?? false
      {
        numbers.append(UInt64(row.number))
      }
      start = row.end
    }
    return NumberSet(numbers)
  }

  private static func hash(_ album: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: album) }
}
