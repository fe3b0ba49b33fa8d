/// What items of a queue are compared by, as bytes in one piece: each key is made once.
struct QueueKeys {
  /// An item on its way to its place.
  private struct Row: Comparable {
    /// A few bytes of the key, or its hash.
    var value: UInt64
    /// The index of the item.
    let item: Int

    static func < (left: Row, right: Row) -> Bool {
      left.value == right.value ? left.item < right.item : left.value < right.value
    }
  }

  private var bytes: [UInt8] = []
  /// Where each item's key is.
  private var spans: [Range<Int>]

  /// The keys of the items in `range` that `append` makes of their tracks.
  ///
  /// They are made page by page of tracks, wherever in the queue these stand: a page is at hand then, and is looked up
  /// once.
  init(
    _ items: PlayQueue.Items, _ range: Range<Int>,
    _ append: (inout [UInt8], PackedTracks, QueueEntry) -> Void
  ) {
    let entries = items.list.only([range]).elements
    spans = [Range<Int>](repeating: 0..<0, count: entries.count)
    var last: (page: UInt32, tracks: PackedTracks)?
    for row in entries.indices.map({ Row(value: UInt64(entries[$0].page), item: $0) }).sorted() {
      let entry = entries[row.item]
      let tracks = if let last, last.page == entry.page { last.tracks } else { items.tracks(entry) }
      if last?.page != entry.page { last = (entry.page, tracks) }
      let start = bytes.count
      append(&bytes, tracks, entry)
      spans[row.item] = start..<bytes.count
    }
  }

  /// The indexes of the items in rising or falling order of their keys; those of equal keys as they stood.
  func sorted(descending: Bool) -> [Int] {
    var rows = spans.indices.map { Row(value: 0, item: $0) }
    // Sorted by the first bytes, then those with equal ones by the next.
    var open = [(range: rows.indices, offset: 0)]
    let flip = descending ? UInt64.max : 0
    while let (range, offset) = open.popLast() {
      for index in range { rows[index].value = piece(rows[index].item, offset) ^ flip }
      rows.withUnsafeMutableBufferPointer {
        var part = UnsafeMutableBufferPointer(rebasing: $0[range])
        part.sort()
      }
      for run in Self.runs(rows, range) where (rows[run.lowerBound].value ^ flip) & 0xFF > Self.pieceLength {
        open.append((run, offset + Int(Self.pieceLength)))
      }
    }
    return rows.map(\.item)
  }

  /// The indexes of items with the same key, where these are several: each row in rising order.
  func repeated() -> [[Int]] {
    let rows = spans.indices.map { Row(value: hash($0), item: $0) }.sorted()
    var repeated: [[Int]] = []
    for run in Self.runs(rows, rows.indices) {
      // More than one row only where different keys have one hash.
      var equal: [[Int]] = []
      for row in rows[run] {
        let index = equal.firstIndex { isSame($0.first ?? row.item, row.item) }
        if let index { equal[index].append(row.item) } else { equal.append([row.item]) }
      }
      repeated += equal.filter { $0.count > 1 }
    }
    return repeated
  }

  private static let pieceLength: UInt64 = 7

  /// Seven bytes of a key from `offset` on, and how many more there are: of what is equal so far, the shorter comes
  /// first.
  private func piece(_ item: Int, _ offset: Int) -> UInt64 {
    let start = spans[item].lowerBound + offset
    let left = spans[item].upperBound - start
    var value: UInt64 = 0
    for step in 0..<Int(Self.pieceLength) {
      value = value << 8 | (step < left ? UInt64(bytes[start + step]) : 0)
    }
    return value << 8 | min(UInt64(max(0, left)), Self.pieceLength + 1)
  }

  /// Where several rows in a row have the same value.
  private static func runs(_ rows: [Row], _ range: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = range.lowerBound
    for index in range.dropFirst() where rows[index].value != rows[start].value {
      if index - start > 1 { runs.append(start..<index) }
      start = index
    }
    if range.upperBound - start > 1 { runs.append(start..<range.upperBound) }
    return runs
  }

  private func hash(_ item: Int) -> UInt64 {
    var hash = StableHash()
    for index in spans[item] { hash.combine(byte: bytes[index]) }
    return hash.value
  }

  private func isSame(_ one: Int, _ other: Int) -> Bool {
    spans[one].count == spans[other].count && bytes[spans[one]] == bytes[spans[other]]
  }
}
