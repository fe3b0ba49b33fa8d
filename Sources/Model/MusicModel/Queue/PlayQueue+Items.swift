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
    public let isMissing: Bool

    /// An entry for `track` under `id`.
    public init(id: ID, track: Track, priority: UInt8 = 0, isMissing: Bool = false) {
      self.id = id
      self.track = track
      self.priority = priority
      self.isMissing = isMissing
    }
  }

  /// The items of a queue by position; each is made anew when it is asked for.
  public struct Items: Sendable, RandomAccessCollection {
    let list: PageList<QueueEntry>
    let table: TrackTable

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { list.count }

    /// The item at `position`, an index of this collection.
    public subscript(position: Int) -> Item {
      precondition(position >= 0 && position < endIndex, "there is no item at \(position)")
      return item(list[position])
    }

    /// The id of the item at `position`, an index of this collection.
    public func id(at position: Int) -> Item.ID { Item.ID(rawValue: list[position].id) }

    /// How long those in these positions last in all, as far as that is known.
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

    /// The item of an entry.
    func item(_ entry: QueueEntry) -> Item {
      Item(
        id: Item.ID(rawValue: entry.id), track: tracks(entry).track(Int(entry.index)),
        priority: entry.priority,
        isMissing: entry.isMissing)
    }

    /// The page that holds the track of an entry.
    func tracks(_ entry: QueueEntry) -> PackedTracks {
      guard let tracks = table[entry.page]?.tracks else {
        preconditionFailure("the queue has no track for item \(entry.id)")
      }
      return tracks
    }

    /// Calls `body` with the entries in these positions; with `pages`, only with those whose tracks' pages are among
    /// these.
    func visit(_ positions: Range<Int>, pages: NumberSet? = nil, _ body: (QueueEntry) -> Void) {
      guard !positions.isEmpty else { return }
      var found: [Int] = []
      var number = list.ends.firstIndex(behind: positions.lowerBound)
      while number < list.pages.count, list.start(number) < positions.upperBound {
        let start = list.start(number)
        let page = list.pages[number]
        let entries = page.entries
        let part = positions.clamped(to: start..<list.ends[number])
        if pages?.reaches(UInt64(page.tracksBounds.low), UInt64(page.tracksBounds.high)) ?? false {
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
  /// The first item that `tracks` have become since `earlier`, a queue before this one; `nil` where they have not
  /// entered, or it has left again.
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
  /// Whether both hold the same items in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count
      && (left.list.pages.elementsEqual(right.list.pages, by: ===) || left.elementsEqual(right))
  }
}

extension PlayQueue {
  /// The items that are marked as gone, by position. It costs little where they are few.
  public var goneItems: [Item.ID] {
    contents.items.pages.lazy.filter(\.marks.gone).flatMap(\.entries).filter(\.isMissing).map {
      Item.ID(rawValue: $0.id)
    }
  }
}

/// The pages of tracks that items name by their numbers, and which albums are on them.
struct TrackTable: Sendable {
  /// The pages by their numbers.
  private(set) var pages: [UInt32: QueuePage] = [:]
  /// The numbers in the order in which the pages came in, and the index in ``albums`` behind the last of each.
  private var rows: [(number: UInt32, end: Int)] = []
  /// The hashes of the pages' albums, page by page: one behind the other they are looked through in no time, the pages
  /// are not.
  private var albums: [UInt16] = []

  /// A table of these pages.
  init(_ pages: [UInt32: QueuePage] = [:]) {
    self.pages.reserveCapacity(pages.count)
    for (number, page) in pages { insert(page, at: number) }
  }

  /// How many pages there are.
  var count: Int { pages.count }

  /// The page with this number.
  subscript(number: UInt32) -> QueuePage? { pages[number] }

  /// Takes in a page under a number that none has.
  mutating func insert(_ page: QueuePage, at number: UInt32) {
    pages[number] = page
    for key in page.tracks?.albums ?? [] { albums.append(Self.hash(key)) }
    rows.append((number, albums.count))
  }

  /// The numbers of the pages with a track of one of these albums.
  func numbers(of wanted: [UInt64]) -> NumberSet {
    let (set, hashes) = (NumberSet(wanted), NumberSet(wanted.map { UInt64(Self.hash($0)) }))
    var numbers: [UInt64] = []
    var start = 0
    for row in rows {
      if albums[start..<row.end].contains(where: { hashes.contains(UInt64($0)) }),
        pages[row.number]?.tracks?.isOf(set) ?? false
      {
        numbers.append(UInt64(row.number))
      }
      start = row.end
    }
    return NumberSet(numbers)
  }

  private static func hash(_ album: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: album) }
}
