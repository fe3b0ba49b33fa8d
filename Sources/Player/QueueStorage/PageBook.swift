import MusicModel

/// The pages that are kept, by their numbers: a page is told from others by identity, and held, so that no other takes
/// its place.
struct PageBook {
  private struct Entry {
    let page: QueuePage
    let number: Int64
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Numbers that nothing names, and that are kept still.
  private var orphans: [Int64] = []
  private var last: Int64 = 0
  /// How many pages were kept since it was tidied.
  private var freshCount = 0

  /// The number that `page` is kept under.
  func number(of page: QueuePage) -> Int64? { entries[ObjectIdentifier(page)]?.number }

  /// The number for the page that is kept next.
  var next: Int64 { last + 1 }

  /// Whether so many pages came since it was tidied that looking for useless ones pays.
  var isUntidy: Bool { !orphans.isEmpty || freshCount > 64 && freshCount > entries.count / 3 }

  /// `page` is kept under `number` now.
  mutating func add(_ page: QueuePage, as number: Int64) {
    entries[ObjectIdentifier(page)] = Entry(page: page, number: number)
    last = max(last, number)
    freshCount += 1
  }

  /// `number` is kept, and nothing names it.
  mutating func addOrphan(_ number: Int64) {
    orphans.append(number)
    last = max(last, number)
  }

  /// The numbers that are kept, and needed neither for `queue` nor for its history.
  func useless(in queue: KeptQueue) -> [Int64] {
    var needed = Set<ObjectIdentifier>(minimumCapacity: entries.count)
    for contents in [queue.contents] + (queue.undoable + queue.redoable).map(\.contents) {
      for page in contents.items { needed.insert(ObjectIdentifier(page)) }
      for page in contents.order ?? [] { needed.insert(ObjectIdentifier(page)) }
    }
    for page in queue.tracks.values { needed.insert(ObjectIdentifier(page)) }
    return orphans + entries.lazy.filter { !needed.contains($0.key) }.map(\.value.number)
  }

  /// These numbers are kept no more; what comes until the next time is counted from here.
  mutating func remove(_ numbers: [Int64]) {
    let gone = Set(numbers)
    entries = entries.filter { !gone.contains($0.value.number) }
    orphans.removeAll { gone.contains($0) }
    freshCount = 0
  }
}
