// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  /// The queue with its history, in a form that can be stored. The pages are shared, so this is cheap even for a long
  /// queue.
  public var stored: StoredQueue {
    StoredQueue(
      contents: contents.stored, tracks: table.pages, modes: modes, seed: random.state, lastID: lastID,
      lastScan: lastScan,
      undoable: undoSteps.map { .init(name: $0.name, contents: $0.contents.stored) },
      redoable: redoSteps.map { .init(name: $0.name, contents: $0.contents.stored) })
  }

  /// Restores the stored queue `name`. Returns `nil` if it is inconsistent: a page is damaged, an ID occurs twice or
  /// exceeds the last one, a track is missing, or the playing order does not have the same items.
  public init?(_ stored: StoredQueue, name: QueueName = .standard) {
    self.name = name
    var validator = StoredQueueValidator(tracks: stored.tracks, lastID: stored.lastID)
    guard let contents = validator.contents(stored.contents) else { return nil }
    undoSteps = Self.steps(stored.undoable, &validator)
    redoSteps = Self.steps(stored.redoable, &validator)
    self.contents = contents
    currentPosition = contents.current.flatMap { contents.items.index(of: $0) }
    table = TrackTable(stored.tracks)
    collectedCount = table.count
    modes = stored.modes
    random = QueueRandom(seed: stored.seed)
    lastID = stored.lastID
    lastScan = stored.lastScan
    restoreState.isOver = true
    if (contents.order?.random ?? .off) != modes.random { makeOrder() }
  }

  /// Returns the steps after the last one that is invalid: no edit can be undone past that.
  private static func steps(_ stored: [StoredQueue.Step], _ validator: inout StoredQueueValidator) -> [QueueStep] {
    var steps: [QueueStep] = []
    for step in stored {
      if let contents = validator.contents(step.contents) {
        steps.append(QueueStep(name: step.name, contents: contents))
      } else {
        steps = []
      }
    }
    return steps
  }

  mutating func open(_ modes: QueueModes, _ seed: UInt64, _ lastID: UInt64, _ lastScan: Int64) {
    guard lastID <= StoredQueueValidator.greatestID else { return }
    let changesRandom = self.modes.random != modes.random
    self.modes = modes
    random = QueueRandom(seed: seed)
    self.lastID = max(self.lastID, lastID)
    self.lastScan = max(self.lastScan, lastScan)
    restoreState.hasModes = true
    if changesRandom { makeOrder() }
  }

  mutating func restore(_ stored: StoredQueue) {
    guard !restoreState.isOver, undoSteps.count <= 1, redoSteps.isEmpty, let queue = PlayQueue(stored) else {
      return
    }
    guard contents.items.pages.allSatisfy({ $0.bounds.low > stored.lastID }),
      stored.tracks.keys.allSatisfy({ table[$0] == nil })
    else { return }
    restoreState.isOver = true
    lastID = max(lastID, queue.lastID)
    lastScan = max(lastScan, queue.lastScan)
    for (number, page) in queue.table.pages { table.insert(page, at: number) }
    collectedCount = table.count
    if let load = undoSteps.first {
      undoSteps = queue.undoSteps.suffix(Self.historyCapacity - 1)
      undoSteps.append(QueueStep(name: load.name, contents: queue.contents, number: load.number))
      return
    }
    (undoSteps, redoSteps, contents, random) = (
      queue.undoSteps, queue.redoSteps, queue.contents, queue.random
    )
    if !restoreState.hasModes { modes = queue.modes }
    if (contents.order?.random ?? .off) != modes.random { makeOrder() }
  }
}

extension QueueContents {
  var stored: StoredQueue.Contents {
    StoredQueue.Contents(
      title: title, items: items.pages, order: items.count == 0 ? nil : order?.ids.pages, current: current,
      elapsed: elapsed)
  }
}

/// Validates the stored contents of queues, and converts them.
struct StoredQueueValidator {
  /// The highest last ID that is accepted. It leaves room for so many more IDs that no overflow has to be checked for.
  static let greatestID = UInt64.max / 4

  private let tracks: [UInt32: QueuePage]
  private let lastID: UInt64
  private var validated: Set<ObjectIdentifier> = []

  /// Creates a validator for contents that refer to these tracks and have no ID above `lastID`.
  init(tracks: [UInt32: QueuePage], lastID: UInt64) {
    self.tracks = tracks
    self.lastID = lastID
  }

  /// Returns the contents of a queue, or `nil` if the stored contents are invalid.
  mutating func contents(_ stored: StoredQueue.Contents) -> QueueContents? {
    guard lastID <= Self.greatestID else { return nil }
    for page in stored.items where !validated.contains(ObjectIdentifier(page)) {
      guard isValid(page) else { return nil }
      validated.insert(ObjectIdentifier(page))
    }
    let items = PageList<QueueEntry>(pages: stored.items)
    guard var ids = QueueIDSet(stored.items) else { return nil }
    if let current = stored.current, items.index(of: current) == nil { return nil }
    var contents = QueueContents(
      title: stored.title, items: items, current: stored.current, elapsed: max(.zero, stored.elapsed))
    // An order that does not fit the items is left out, and drawn anew.
    guard let order = stored.order, case .order(let random) = order.first?.kind,
      order.allSatisfy({ $0.kind == .order(random) })
    else { return contents }
    let list = PageList<UInt64>(pages: order)
    if list.count == items.count, order.allSatisfy({ page in page.ids.allSatisfy { ids.remove($0) } }) {
      contents.order = QueueContents.Order(ids: list, random: random)
    }
    return contents
  }

  private func isValid(_ page: QueuePage) -> Bool {
    guard page.kind == .items, page.bounds.low > 0, page.bounds.high <= lastID else { return false }
    return page.entries.allSatisfy { entry in
      guard let tracks = tracks[entry.page]?.tracks else { return false }
      return Int(entry.index) < tracks.count
    }
  }
}

/// A set of the item IDs on some pages: one bit for each ID between the lowest and the highest if that range is small
/// enough, otherwise a `Set`.
struct QueueIDSet {
  private var bits: [UInt64] = []
  private var low: UInt64 = 0
  private var others: Set<UInt64> = []

  /// Creates a set of the IDs on these pages, or returns `nil` if an ID occurs twice.
  init?(_ pages: [QueuePage]) {
    guard let low = pages.map(\.bounds.low).min(), let high = pages.map(\.bounds.high).max(), low <= high
    else {
      return
    }
    self.low = low
    let count = pages.reduce(0) { $0 + $1.entries.count }
    let isDense = (high - low) / 64 <= UInt64(count) + 64
    if isDense { bits = [UInt64](repeating: 0, count: Int((high - low) / 64) + 1) }
    for page in pages {
      for entry in page.entries {
        if isDense {
          let (word, bit) = location(entry.id)
          guard bits[word] & bit == 0 else { return nil }
          bits[word] |= bit
        } else if !others.insert(entry.id).inserted {
          return nil
        }
      }
    }
  }

  /// Removes an ID. Returns whether the set contained it.
  mutating func remove(_ id: UInt64) -> Bool {
    guard !bits.isEmpty else { return others.remove(id) != nil }
    guard id >= low, (id - low) / 64 < UInt64(bits.count) else { return false }
    let (word, bit) = location(id)
    guard bits[word] & bit != 0 else { return false }
    bits[word] &= ~bit
    return true
  }

  private func location(_ id: UInt64) -> (Int, UInt64) { (Int((id - low) / 64), 1 << ((id - low) % 64)) }
}
