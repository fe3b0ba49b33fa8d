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
