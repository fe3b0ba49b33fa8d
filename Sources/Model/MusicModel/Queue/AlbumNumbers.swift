/// The albums of items as numbers, from 0 in the order in which they are asked for: a page of tracks is read once, as a
/// whole.
struct AlbumNumbers {
  private let items: PlayQueue.Items
  private let wanted: NumberSet?
  /// The index in ``albums`` at which each page begins that was read.
  private var pages: NumberTable
  /// The index in ``numbers`` of the album of each track of these pages; -1 where it is not wanted.
  private var albums: [Int32] = []
  private var known: [UInt64: Int32] = [:]
  /// The number of each album, -1 while it was not asked for.
  private var numbers: [Int32] = []
  private var last: (page: UInt32, start: Int)?
  private var count: Int32 = 0

  /// The albums of the items, or those of them that are `wanted`.
  init(_ items: PlayQueue.Items, _ wanted: NumberSet?) {
    (self.items, self.wanted) = (items, wanted)
    pages = NumberTable(
      for: items.table.pages.keys.lazy.map { UInt64($0) }, count: wanted == nil ? items.count : 0)
    if wanted == nil { known.reserveCapacity(items.count / 8) }
  }

  /// The number of the album of an item; `nil` where it is not wanted.
  subscript(entry: QueueEntry) -> Int? {
    mutating get {
      let album = Int(albums[start(entry) + Int(entry.index)])
      guard album >= 0 else { return nil }
      if numbers[album] < 0 {
        numbers[album] = count
        count += 1
      }
      return Int(numbers[album])
    }
  }

  private mutating func start(_ entry: QueueEntry) -> Int {
    if let last, last.page == entry.page { return last.start }
    let start = pages[UInt64(entry.page)] ?? read(entry)
    last = (entry.page, start)
    return start
  }

  private mutating func read(_ entry: QueueEntry) -> Int {
    let tracks = items.tracks(entry)
    let start = albums.count
    pages[UInt64(entry.page)] = start
    var last: (key: UInt64, album: Int32)?
    for index in 0..<tracks.count {
      let key = tracks.album(index)
      if last?.key != key { last = (key, album(key)) }
      albums.append(last?.album ?? -1)
    }
    return start
  }

  private mutating func album(_ key: UInt64) -> Int32 {
    if let album = known[key] { return album }
    guard wanted?.contains(key) ?? true else { return -1 }
    let album = Int32(truncatingIfNeeded: numbers.count)
    numbers.append(-1)
    known[key] = album
    return album
  }
}
