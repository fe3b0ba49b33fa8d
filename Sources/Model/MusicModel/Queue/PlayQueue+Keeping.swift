extension PlayQueue {
  /// The queue with its history in a form to be kept. It shares the pages: getting it costs little, however long the
  /// queue is.
  public var kept: KeptQueue {
    KeptQueue(
      contents: contents.kept, tracks: table.pages, modes: modes, seed: random.state, lastID: lastID,
      undoable: undoSteps.map { .init(name: $0.name, contents: $0.contents.kept) },
      redoable: redoSteps.map { .init(name: $0.name, contents: $0.contents.kept) })
  }

  /// The queue that was kept; `nil` where that makes no sense: a page is damaged, an id stands twice or is greater than
  /// the last one, a track is missing, or the playing order is of other items.
  public init?(_ kept: KeptQueue) {
    var check = KeptQueueCheck(tracks: kept.tracks, lastID: kept.lastID)
    guard let contents = check.contents(kept.contents) else { return nil }
    for step in kept.undoable {
      guard let contents = check.contents(step.contents) else { return nil }
      undoSteps.append(QueueStep(name: step.name, contents: contents))
    }
    for step in kept.redoable {
      guard let contents = check.contents(step.contents) else { return nil }
      redoSteps.append(QueueStep(name: step.name, contents: contents))
    }
    self.contents = contents
    currentPosition = contents.current.flatMap { contents.items.index(of: $0) }
    table = TrackTable(kept.tracks)
    collectedCount = table.count
    modes = kept.modes
    random = QueueRandom(seed: kept.seed)
    lastID = kept.lastID
    beginning.isOver = true
    if (contents.order?.random ?? .off) != modes.random { makeOrder() }
  }

  mutating func open(_ modes: QueueModes, _ seed: UInt64, _ lastID: UInt64) {
    guard lastID <= KeptQueueCheck.greatestID else { return }
    let isNew = self.modes.random != modes.random
    self.modes = modes
    random = QueueRandom(seed: seed)
    self.lastID = max(self.lastID, lastID)
    beginning.hasModes = true
    if isNew { makeOrder() }
  }

  mutating func recall(_ kept: KeptQueue) {
    guard !beginning.isOver, undoSteps.count <= 1, redoSteps.isEmpty, let queue = PlayQueue(kept) else {
      return
    }
    guard contents.items.pages.allSatisfy({ $0.bounds.low > kept.lastID }),
      kept.tracks.keys.allSatisfy({ table[$0] == nil })
    else { return }
    beginning.isOver = true
    lastID = max(lastID, queue.lastID)
    for (number, page) in queue.table.pages { table.insert(page, at: number) }
    collectedCount = table.count
    if let load = undoSteps.first {
      undoSteps = queue.undoSteps.suffix(Self.historyCapacity - 1)
      undoSteps.append(QueueStep(name: load.name, contents: queue.contents))
      return
    }
    (undoSteps, redoSteps, contents, random) = (
      queue.undoSteps, queue.redoSteps, queue.contents, queue.random
    )
    if !beginning.hasModes { modes = queue.modes }
    if (contents.order?.random ?? .off) != modes.random { makeOrder() }
  }
}

extension QueueContents {
  /// The contents in a form to be kept.
  var kept: KeptQueue.Contents {
    KeptQueue.Contents(
      title: title, items: items.pages, order: items.count == 0 ? nil : order?.ids.pages, current: current,
      heard: heard)
  }
}
