// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  mutating func load(_ collection: TrackCollection, _ item: Int?) {
    let mayRecall = !restoreState.isOver && undoSteps.isEmpty && redoSteps.isEmpty
    let name = item.map { collection.tracks.indices.contains($0) } == true ? "play" : "load"
    edit(Self.name(name, collection.title, collection.tracks.count), always: true) { queue in
      queue.contents = QueueContents(title: collection.title)
      let entries = queue.entries(collection)
      queue.contents.items = PageList(entries)
      if let item, entries.indices.contains(item) { queue.contents.current = entries[item].id }
      queue.makeOrder()
    }
    restoreState.isOver = !mayRecall
  }

  mutating func add(_ collection: TrackCollection, _ point: QueueInsertionPoint, isRefill: Bool = false) {
    guard !collection.tracks.isEmpty else { return }
    edit(Self.name(isRefill ? "keep playing" : "add", collection.title, collection.tracks.count)) { queue in
      let count = queue.contents.items.count
      let target =
        switch point {
        case .end: count
        case .next: queue.positionForNext
        case .position(let position): min(max(0, position), count)
        }
      let entries = queue.entries(collection, isNext: point == .next, isRefill: isRefill)
      let placeForNext = queue.placeForNext
      queue.contents.items = queue.contents.items.replacing(target..<target, with: entries)
      if point == .next {
        queue.contents.order?.insert(entries.map { ($0.id, placeForNext) })
      } else {
        queue.insertIntoOrder(entries)
      }
    }
  }

  mutating func remove(_ selection: QueueSelection) {
    let ranges = positions(selection)
    edit(Self.name("remove", "", ranges.totalCount)) { $0.remove(ranges) }
  }

  mutating func move(_ selection: QueueSelection, to position: Int) {
    let ranges = positions(selection)
    edit(Self.name("move", "", ranges.totalCount)) { queue in
      let moved = queue.contents.items.only(ranges).elements
      queue.contents.items = queue.contents.items.moving(ranges, to: position)
      queue.updateOrder(afterMoving: moved)
    }
  }

  mutating func swap(_ first: Item.ID, _ second: Item.ID) {
    let ranges = positions(.items([first, second]))
    guard ranges.totalCount == 2 else { return }
    edit("swap") { queue in
      let swapped = Array(queue.contents.items.only(ranges).elements.reversed())
      queue.contents.items = queue.contents.items.arranging(ranges, as: swapped)
      queue.updateOrder(afterMoving: swapped)
    }
  }

  mutating func clear() {
    edit(Self.name("clear", "", contents.items.count)) { $0.remove([0..<$0.contents.items.count]) }
  }

  mutating func crop(_ selection: QueueSelection?) {
    let remaining = selection.map { positions($0) } ?? currentPosition.map { [$0..<($0 + 1)] } ?? []
    guard !remaining.isEmpty else { return }
    let count = contents.items.count - remaining.totalCount
    edit(Self.name("crop", "", count)) { $0.remove(remaining.gaps(below: $0.contents.items.count)) }
  }

  mutating func prioritise(_ selection: QueueSelection, _ priority: UInt8) {
    let ranges = positions(selection)
    edit(Self.name("prioritise", "", ranges.totalCount)) { queue in
      var changed: [QueueEntry] = []
      queue.contents.items = queue.contents.items.changing(ranges.joined()) { entry in
        if entry.priority != priority { changed.append(entry) }
        entry.priority = priority
      }
      if !changed.isEmpty { queue.updateOrder(afterPrioritising: changed, priority) }
    }
  }

  mutating func setRange(_ id: UInt64, _ start: Duration, _ end: Duration?) {
    guard let position = contents.items.index(of: id) else { return }
    let track = items[position].track
    let part = track.played(from: start, to: end)
    guard part != track else { return }
    edit("range") { queue in
      guard let added = queue.entries(TrackCollection(title: "", tracks: [part])).first else { return }
      queue.contents.items = queue.contents.items.changing([position]) { entry in
        (entry.page, entry.index) = (added.page, added.index)
      }
      if queue.contents.current == id { queue.contents.elapsed = .zero }
    }
  }

  mutating func setAvailability(_ missing: [Item.ID], _ found: [Item.ID]) {
    for (ids, isMissing) in [(missing, true), (found, false)] where !ids.isEmpty {
      let indexes = contents.items.indexes(of: ids.map(\.rawValue))
      contents.items = contents.items.changing(indexes) { $0.isMissing = isMissing }
    }
  }

  /// Returns the positions of the selected items, or of all items if `selection` is `nil`, as ascending ranges without
  /// overlaps or adjoining ones.
  package func positions(_ selection: QueueSelection?) -> [Range<Int>] {
    switch selection {
    case nil: [0..<contents.items.count]
    case .positions(let ranges)?: ranges.map { $0.clamped(to: 0..<contents.items.count) }.merged
    case .items(let ids)?: contents.items.indexes(of: ids.map(\.rawValue)).ranges
    }
  }

  /// Returns the IDs of the items at these positions, which must exist.
  package func ids(at ranges: [Range<Int>]) -> [Item.ID] {
    contents.items.only(ranges).elements.map { Item.ID(rawValue: $0.id) }
  }

  /// Creates queue entries for the tracks of a collection, and adds the collection's pages to the table of tracks.
  mutating func entries(_ collection: TrackCollection, isNext: Bool = false, isRefill: Bool = false) -> [QueueEntry] {
    var entries: [QueueEntry] = []
    entries.reserveCapacity(collection.tracks.count)
    for page in collection.tracks.pages {
      // Find an unused page number, starting from the next item's ID.
      var number = UInt32(truncatingIfNeeded: lastID &+ 1)
      while table[number] != nil { number &+= 1 }
      table.insert(page, at: number)
      for index in 0..<(page.tracks?.count ?? 0) {
        lastID &+= 1
        var entry = QueueEntry(id: lastID, page: number, index: UInt8(truncatingIfNeeded: index))
        (entry.isNext, entry.isRefill) = (isNext, isRefill)
        entries.append(entry)
      }
    }
    return entries
  }

  /// Removes the items at these positions (ascending). If the current item is removed, the next remaining one in
  /// playing order becomes current.
  mutating func remove(_ ranges: [Range<Int>]) {
    let items = contents.items
    let remaining = ranges.gaps(below: items.count)
    let remainingCount = remaining.totalCount
    guard remainingCount < items.count else { return }
    guard remainingCount > 0 else {
      (contents.items, contents.current, contents.elapsed) = (PageList(), nil, .zero)
      contents.order = contents.order.map { QueueContents.Order([], $0.random) }
      return
    }
    replaceCurrent(ranges)
    contents.items = items.only(remaining)
    guard let order = contents.order else { return }
    if remainingCount < items.count / 2 {
      contents.order?.keep(order.ids.indexes(of: contents.items.elements.map(\.id)).ranges)
    } else {
      let places = order.ids.indexes(of: items.only(ranges).elements.map(\.id)).ranges
      contents.order?.keep(places.gaps(below: order.ids.count))
    }
  }

  private mutating func replaceCurrent(_ removed: [Range<Int>]) {
    guard let current = contents.current, let position = contents.items.index(of: current),
      let range = removed.first(where: { $0.contains(position) })
    else { return }
    contents.elapsed = .zero
    guard let order = contents.order else {
      let next = range.upperBound
      contents.current = next < contents.items.count ? contents.items[next].id : nil
      return
    }
    let removed = Set(contents.items.only(removed).elements.map(\.id))
    var cursor = PageList<UInt64>.Cursor(order.ids, order.ids.index(of: current) ?? order.ids.count)
    contents.current = nil
    while let id = cursor.next() {
      guard removed.contains(id) else {
        contents.current = id
        return
      }
    }
  }
}
