// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel

/// Writes queues to the database. It knows what is stored, so that only differences are written.
struct StateWriter {
  private(set) var pages = PageRegistry()
  private var undoable = StoredSteps()
  private var redoable = StoredSteps()
  private var arrangement: Arrangement?
  private var lastStep: Int64 = 0
  /// The queue that was last written or read; `nil` if there was none.
  private(set) var queue: StoredQueue?

  private struct Arrangement: Equatable {
    var items: [UInt8]
    var playing: [UInt8]?
    var tracks: [UInt8]
  }

  init() {}

  /// Creates a writer for a database that contains `queue`, as read by `reader`.
  init(_ queue: StoredQueue?, readBy reader: StateReader) {
    for (number, page) in reader.pages {
      if reader.needed.contains(number) { pages.add(page, as: number) } else { pages.addOrphan(number) }
    }
    pages.remove([])
    guard let queue else { return }
    self.queue = queue
    let numbers = reader.stepNumbers
    undoable.apply(.init(dropped: 0, remaining: 0, added: queue.undoable[...]), numbers.undoable)
    redoable.apply(.init(dropped: 0, remaining: 0, added: queue.redoable[...]), numbers.redoable)
    lastStep = max(numbers.undoable.last ?? 0, numbers.redoable.last ?? 0)
  }

  /// Writes what differs between the stored queue and `new`, in the open transaction, and records it as stored. If this
  /// throws, or the transaction is not committed, the previous value of the writer must be used again.
  mutating func write(_ new: StoredQueue, to database: Database) throws {
    let numbering = Numbering(database)
    let next = Arrangement(
      items: try numbering.bytes(new.contents.items, &pages),
      playing: try new.contents.order.map { try numbering.bytes($0, &pages) },
      tracks: try tracks(new, numbering))
    undoable = try write(new.undoable, isUndone: false, over: undoable, numbering, to: database)
    redoable = try write(new.redoable, isUndone: true, over: redoable, numbering, to: database)
    if next != arrangement {
      try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO arrangement (id, items, playing, tracks) VALUES (1, ?, ?, ?)"
      ).execute(arguments: [Data(next.items), next.playing.map { Data($0) }, Data(next.tracks)])
      arrangement = next
    }
    try writeState(new, to: database)
    queue = new
  }

  /// Removes the pages that nothing refers to any more.
  mutating func deleteUnusedPages(_ database: Database) throws {
    guard let queue else { return }
    let unused = pages.unused(in: queue)
    let statement = try database.cachedStatement(sql: "DELETE FROM page WHERE number = ?")
    for number in unused { try statement.execute(arguments: [number]) }
    pages.remove(unused)
  }

  private mutating func tracks(_ queue: StoredQueue, _ numbering: Numbering) throws -> [UInt8] {
    var pairs: [Int64] = []
    pairs.reserveCapacity(2 * queue.tracks.count)
    for (key, page) in queue.tracks.sorted(by: { $0.key < $1.key }) {
      pairs += [Int64(key), try numbering.number(page, &pages)]
    }
    return PageNumbers.bytes(pairs)
  }

  private mutating func write(
    _ steps: [StoredQueue.Step], isUndone: Bool, over old: StoredSteps, _ numbering: Numbering,
    to database: Database
  ) throws -> StoredSteps {
    var stored = old
    let change = stored.change(to: steps)
    let deletion = try database.cachedStatement(sql: "DELETE FROM step WHERE number = ?")
    for number in stored.numbers(removedBy: change) { try deletion.execute(arguments: [number]) }
    let insertion = try database.cachedStatement(
      sql: """
        INSERT INTO step (number, is_undone, name, title, items, playing, current, heard)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    var numbers: [Int64] = []
    for step in change.added {
      lastStep += 1
      let contents = step.contents
      try insertion.execute(arguments: [
        lastStep, isUndone, Data(step.name.utf8), Data(contents.title.utf8),
        Data(try numbering.bytes(contents.items, &pages)),
        try contents.order.map { Data(try numbering.bytes($0, &pages)) },
        contents.current.map { Int64(bitPattern: $0) }, contents.elapsed.wholeNanoseconds,
      ])
      numbers.append(lastStep)
    }
    stored.apply(change, numbers)
    return stored
  }

  private func writeState(_ queue: StoredQueue, to database: Database) throws {
    let modes = queue.modes
    try database.cachedStatement(
      sql: """
        UPDATE state SET repeat = ?, random = ?, single = ?, consume = ?, stop_after = ?, seed = ?, last_id = ?, title = ?,
          current = ?, heard = ?, last_scan = ?, keep_playing = ?
        """
    ).execute(arguments: [
      modes.repeat.rawValue, modes.random.rawValue, modes.single.rawValue,
      modes.consumesOnce ? 2 : modes.consume ? 1 : 0,
      modes.stopAfter?.rawValue,
      Int64(bitPattern: queue.seed), Int64(bitPattern: queue.lastID), Data(queue.contents.title.utf8),
      queue.contents.current.map { Int64(bitPattern: $0) }, queue.contents.elapsed.wholeNanoseconds,
      queue.lastScan, modes.keepPlaying?.text,
    ])
  }
}

/// Assigns numbers to pages, and writes the pages that do not have one yet.
private struct Numbering {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func number(_ page: QueuePage, _ registry: inout PageRegistry) throws -> Int64 {
    if let number = registry.number(of: page) { return number }
    let number = registry.next
    let bytes = page.bytes
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO page (number, sum, bytes) VALUES (?, ?, ?)")
      .execute(arguments: [number, PageSum.sum(bytes), Data(bytes)])
    registry.add(page, as: number)
    return number
  }

  func bytes(_ pages: [QueuePage], _ registry: inout PageRegistry) throws -> [UInt8] {
    var numbers: [Int64] = []
    numbers.reserveCapacity(pages.count)
    for page in pages { numbers.append(try number(page, &registry)) }
    return PageNumbers.bytes(numbers)
  }
}

extension Duration {
  /// The duration in whole nanoseconds; `Int64.max` if its seconds are out of range.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? .max : whole.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
  }
}

/// The stored steps of an undo history, oldest first, with their numbers.
struct StoredSteps {
  private(set) var numbers: [Int64] = []
  private var steps: [StoredQueue.Step] = []

  /// The difference between two histories.
  struct Change {
    /// The number of oldest steps that are removed.
    var dropped: Int
    /// The number of following steps that remain.
    var remaining: Int
    /// The steps that are added after them.
    var added: ArraySlice<StoredQueue.Step>
  }

  /// Returns the change from the stored history to `new`. A history grows and shrinks at its end, and loses its oldest
  /// steps.
  func change(to new: [StoredQueue.Step]) -> Change {
    var dropped = 0
    if let first = new.first {
      dropped = steps.firstIndex { $0.isSame(as: first) } ?? steps.count
    } else {
      dropped = steps.count
    }
    var remaining = 0
    while dropped + remaining < steps.count, remaining < new.count,
      steps[dropped + remaining].isSame(as: new[remaining])
    {
      remaining += 1
    }
    return Change(dropped: dropped, remaining: remaining, added: new[remaining...])
  }

  func numbers(removedBy change: Change) -> [Int64] {
    Array(numbers[..<change.dropped] + numbers[(change.dropped + change.remaining)...])
  }

  /// Applies `change`, whose added steps are stored under `newNumbers`.
  mutating func apply(_ change: Change, _ newNumbers: [Int64]) {
    let remainingRange = change.dropped..<(change.dropped + change.remaining)
    numbers = Array(numbers[remainingRange]) + newNumbers
    steps = Array(steps[remainingRange]) + change.added
  }
}

extension StoredQueue.Step {
  /// Returns whether both steps are equal. The comparison is fast if they share their arrays or differ in size.
  fileprivate func isSame(as other: StoredQueue.Step) -> Bool {
    let (one, two) = (contents, other.contents)
    return name == other.name && one.current == two.current && one.elapsed == two.elapsed
      && one.title == two.title
      && Self.isSame(one.items, two.items)
      && (one.order == nil) == (two.order == nil) && Self.isSame(one.order ?? [], two.order ?? [])
  }

  private static func isSame(_ one: [QueuePage], _ two: [QueuePage]) -> Bool {
    guard one.count == two.count else { return false }
    let isShared = unsafe one.withUnsafeBufferPointer { one in
      unsafe two.withUnsafeBufferPointer { two in unsafe one.baseAddress == two.baseAddress }
    }
    return isShared || one.elementsEqual(two, by: ===)
  }
}
