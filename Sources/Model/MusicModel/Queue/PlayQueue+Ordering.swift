// SPDX-License-Identifier: GPL-3.0-or-later

/// Creation and updates of the playing order.
extension PlayQueue {
  /// Creates a playing order according to the mode: first the current item, then (with `keepsNext`) the items queued to
  /// play next, then the others.
  mutating func makeOrder(keepsNext: Bool = true) {
    let next = keepsNext ? nextIDs : []
    contents.order = nil
    guard modes.random != .off else { return }
    if modes.random != .albums { return shuffleTracks(next) }
    let groups = albums(except: next)
    var drawn = Array(groups.indices)
    random.shuffle(&drawn)
    let priorities = groups.priorities
    var sequence = drawn.indices.sorted { (priorities[drawn[$1]], $0) < (priorities[drawn[$0]], $1) }.map {
      drawn[$0]
    }
    if let index = contents.current.flatMap({ groups.members.firstIndex(of: $0) }),
      let first = sequence.firstIndex(of: groups.group(at: index))
    {
      sequence.insert(sequence.remove(at: first), at: 0)
    }
    setOrder(groups, sequence[...], next, after: contents.current)
  }

  private mutating func shuffleTracks(_ next: [UInt64]) {
    let first = (contents.current.map { [$0] } ?? []) + next
    let known = Set(first)
    var (ids, priorities) = ([UInt64](), [UInt64: UInt8]())
    ids.reserveCapacity(contents.items.count)
    for page in contents.items.pages {
      for entry in page.entries where !known.contains(entry.id) {
        ids.append(entry.id)
        if entry.priority > 0 { priorities[entry.id] = entry.priority }
      }
    }
    random.shuffle(&ids)
    var prioritised: [UInt64] = []
    if !priorities.isEmpty {
      let drawn = ids.filter { priorities[$0] != nil }
      prioritised = drawn.indices.sorted {
        (priorities[drawn[$1], default: 0], $0) < (priorities[drawn[$0], default: 0], $1)
      }.map { drawn[$0] }
      ids.removeAll { priorities[$0] != nil }
    }
    if modes.random == .spread { ids = spread(ids, after: prioritised.last ?? first.last) }
    contents.order = QueueContents.Order(first + prioritised + ids, modes.random)
  }

  /// Inserts new items into the playing order, at random places after the current item and after those with a priority.
  mutating func insertIntoOrder(_ entries: [QueueEntry]) {
    guard let order = contents.order else { return }
    if order.random == .albums { return updateOrder(afterMoving: entries) }
    let new = scattered(entries.map(\.id), among: placeAfterPriorities(order)..<order.ids.count)
    contents.order?.insert(new)
  }

  /// Updates a shuffled order of albums after positions have changed. Each album is contiguous and sorted by position
  /// again, and new albums come after the current one.
  mutating func updateOrder() {
    guard let order = contents.order, order.random == .albums else { return }
    let interruption = interruption
    let groups = albums(except: interruption.ids)
    let (groupOf, known) = sequence(groups, order)
    let played = interruption.anchor.flatMap { groupOf[$0] }
    let start = played.flatMap { known.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    var isNew = [Bool](repeating: true, count: groups.indices.count)
    for group in known { isNew[group] = false }
    let new = groups.indices.filter { isNew[$0] }
    let last = known[start...].lastIndex(where: { groups.priorities[$0] > 0 }).map { $0 + 1 } ?? start
    var places: [Int] = []
    var begin = 0
    for (group, place) in scattered(new.map { UInt64($0) }, among: last..<known.count) {
      places += known[begin..<place]
      places.append(Int(group))
      begin = place
    }
    places += known[begin...]
    setOrder(groups, places[...], interruption.ids, after: interruption.anchor)
  }

  /// Moves an item that is about to be played, or its album, from a later place to right after the current one. The
  /// items between are not skipped.
  mutating func bringForward(_ id: UInt64) {
    guard let order = contents.order, let place = order.ids.index(of: id) else { return }
    let current = contents.current.flatMap { order.ids.index(of: $0) } ?? -1
    guard place > current + 1 else { return }
    if order.random == .albums { return bringAlbumForward(id, order) }
    contents.order?.keep([
      0..<current + 1, place..<place + 1, current + 1..<place, place + 1..<order.ids.count,
    ])
  }

  private mutating func bringAlbumForward(_ id: UInt64, _ order: QueueContents.Order) {
    let interruption = interruption
    let groups = albums(except: interruption.ids)
    var (groupOf, known) = sequence(groups, order)
    let played = interruption.anchor.flatMap { groupOf[$0] }
    guard let group = groupOf[id], group != played, let index = known.firstIndex(of: group) else { return }
    known.remove(at: index)
    let target = played.flatMap { known.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    guard target <= index else { return }
    known.insert(group, at: target)
    setOrder(groups, known[...], interruption.ids, after: interruption.anchor)
  }

  /// Returns the group number of each item, and the group numbers in playing order. The place of a group is that of its
  /// first item that was not queued to play next.
  func sequence(_ groups: AlbumGroups<UInt64>, _ order: QueueContents.Order) -> (
    groupOf: NumberTable, known: [Int]
  ) {
    let (groupOf, marked) = (groups.groupOf, queuedNextIDs)
    var (known, isKnown) = ([Int](), [Bool](repeating: false, count: groups.indices.count))
    var later: [UInt64] = []
    func note(_ id: UInt64) {
      guard let group = groupOf[id], !isKnown[group] else { return }
      isKnown[group] = true
      known.append(group)
    }
    for page in order.ids.pages {
      for id in page.ids { if !marked.isEmpty, marked.contains(id) { later.append(id) } else { note(id) } }
    }
    for id in later { note(id) }
    return (groupOf, known)
  }

  var queuedNextIDs: Set<UInt64> {
    Set(contents.items.pages.lazy.filter(\.marks.next).flatMap(\.entries).filter(\.isNext).map(\.id))
  }

  /// Returns the first place in playing order after the current item, the items queued to play next, and all items with
  /// a priority.
  func placeAfterPriorities(_ order: QueueContents.Order) -> Int {
    let prioritised = contents.items.pages.lazy.filter(\.marks.priority).flatMap(\.entries)
      .filter { $0.priority > 0 }.map(\.id)
    return max(placeForNext, order.ids.indexes(of: Array(prioritised)).last.map { $0 + 1 } ?? 0)
  }

  /// The IDs of the items right after the current one that were queued to play next, in playing order.
  var nextIDs: [UInt64] {
    let marked = queuedNextIDs
    guard !marked.isEmpty else { return [] }
    var ids: [UInt64] = []
    let start = contents.current.flatMap { place(of: $0) }.map { $0 + 1 } ?? 0
    if let order = contents.order {
      var cursor = PageList<UInt64>.Cursor(order.ids, start)
      while let id = cursor.next(), marked.contains(id) { ids.append(id) }
    } else {
      var cursor = PageList<QueueEntry>.Cursor(contents.items, start)
      while let entry = cursor.next(), entry.isNext { ids.append(entry.id) }
    }
    return ids
  }

  /// The IDs of items that were queued to play next and interrupt an album, possibly including the current item. The
  /// `anchor` is the ID of the item before them, or `nil` if they come first.
  var interruption: (ids: [UInt64], anchor: UInt64?) {
    guard let order = contents.order?.ids else { return ([], contents.current) }
    let marked = queuedNextIDs
    var place = contents.current.flatMap { order.index(of: $0) } ?? -1
    guard !marked.isEmpty else { return ([], contents.current) }
    while place >= 0, marked.contains(order[place]) { place -= 1 }
    var ids: [UInt64] = []
    var cursor = PageList<UInt64>.Cursor(order, place + 1)
    while let id = cursor.next(), marked.contains(id) { ids.append(id) }
    return (ids, place >= 0 ? order[place] : nil)
  }

  /// The place in playing order after the current item and the items queued to play next.
  var placeForNext: Int { (contents.current.flatMap { place(of: $0) }.map { $0 + 1 } ?? 0) + nextIDs.count }

  /// The position after the current item and the items right after it that were queued to play next.
  var positionForNext: Int {
    var position = currentPosition.map { $0 + 1 } ?? 0
    var cursor = PageList<QueueEntry>.Cursor(contents.items, position)
    while let entry = cursor.next(), entry.isNext { position += 1 }
    return position
  }

  /// Returns the IDs in random order, each with a random place in `places` or at its end. The places are ascending.
  mutating func scattered(_ ids: [UInt64], among places: Range<Int>) -> [(id: UInt64, place: Int)] {
    var ids = ids
    random.shuffle(&ids)
    let drawn = ids.map { _ in places.lowerBound + random.index(below: places.count + 1) }.sorted()
    return zip(ids, drawn).map { (id: $0, place: $1) }
  }

  /// Sets the playing order to the albums in `sequence`. The IDs in `interruption` come after the item `anchor`, or at
  /// the beginning if it is `nil`.
  mutating func setOrder(
    _ groups: AlbumGroups<UInt64>, _ sequence: ArraySlice<Int>, _ interruption: [UInt64], after anchor: UInt64?
  ) {
    var ids: [UInt64] = []
    ids.reserveCapacity(contents.items.count)
    for group in sequence { ids += groups[group] }
    if !interruption.isEmpty {
      let place = anchor.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      ids.insert(contentsOf: interruption, at: place)
    }
    contents.order = QueueContents.Order(ids, .albums)
  }
}

/// The effect of priorities on the playing order.
extension PlayQueue {
  /// Moves items in the playing order after their priority has changed. Among the items not yet played, they come after
  /// items of higher priority and before items of lower priority, in random order among items of equal priority. An
  /// item that was already played is played again if its priority is now higher than the current item's and was not
  /// higher before.
  mutating func updateOrder(afterPrioritising changed: [QueueEntry], _ priority: UInt8) {
    guard let order = contents.order else { return }
    if order.random == .albums { return updateAlbumOrder(afterPrioritising: Set(changed.map(\.id))) }
    let start = placeForNext
    let current = contents.current.flatMap { order.ids.index(of: $0) }
    let currentPriority =
      contents.current.flatMap { contents.items.index(of: $0) }.map { contents.items[$0].priority } ?? 0
    let replayed = Set(changed.lazy.filter { priority > currentPriority && $0.priority <= currentPriority }.map(\.id))
    let places = order.ids.indexes(of: changed.map(\.id)).filter { place in
      place >= start || place < current ?? 0 && replayed.contains(order.ids[place])
    }
    guard !places.isEmpty else { return }
    let moved = places.map { order.ids[$0] }
    contents.order?.keep(places.ranges.gaps(below: order.ids.count))
    let begin = start - places.prefix { $0 < start }.count
    let priorities = Dictionary(
      uniqueKeysWithValues: contents.items.pages.lazy.filter(\.marks.priority).flatMap(\.entries)
        .filter { $0.priority > 0 }.map { ($0.id, $0.priority) })
    let rest = contents.order?.ids.elements[begin...].map { priorities[$0] ?? 0 } ?? []
    let low = rest.firstIndex { $0 <= priority } ?? rest.count
    let high = rest[low...].firstIndex { $0 < priority } ?? rest.count
    let new = scattered(moved, among: begin + low..<begin + high)
    contents.order?.insert(new)
  }

  private mutating func updateAlbumOrder(afterPrioritising changed: Set<UInt64>) {
    guard let order = contents.order else { return }
    let interruption = interruption
    let groups = albums(except: interruption.ids)
    let (groupOf, sequence) = sequence(groups, order)
    let current = interruption.anchor.flatMap { groupOf[$0] }.flatMap { sequence.firstIndex(of: $0) }
    let start = current.map { $0 + 1 } ?? 0
    let isChanged = Set(changed.compactMap { groupOf[$0] })
    let moved = sequence[start...].filter { isChanged.contains($0) }
    var rest = sequence[start...].filter { !isChanged.contains($0) }
    let priorities = groups.priorities
    for group in moved {
      let low = rest.firstIndex { priorities[$0] <= priorities[group] } ?? rest.count
      let high = rest[low...].firstIndex { priorities[$0] < priorities[group] } ?? rest.count
      rest.insert(group, at: low + random.index(below: high - low + 1))
    }
    setOrder(groups, sequence[..<start] + rest, interruption.ids, after: interruption.anchor)
  }
}
