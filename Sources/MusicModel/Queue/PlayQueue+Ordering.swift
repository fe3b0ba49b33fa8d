/// Making the playing order.
extension PlayQueue {
  /// Makes the playing order anew, by the mode: the current item first, what is to be played next right behind it, then the others.
  mutating func makeOrder(keepsNext: Bool = true) {
    let next = keepsNext ? nextIDs : []
    contents.order = nil
    guard modes.random != .off else { return }
    if modes.random == .tracks { return shuffleTracks(next) }
    var groups = albums(except: next)
    random.shuffle(&groups)
    groups = groups.indices.sorted { (groups[$1].priority, $0) < (groups[$0].priority, $1) }.map {
      groups[$0]
    }
    if let current = contents.current, let first = groups.firstIndex(where: { $0.ids.contains(current) }) {
      groups.insert(groups.remove(at: first), at: 0)
    }
    setOrder(groups, next)
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
    if !priorities.isEmpty {
      let prioritised = ids.filter { priorities[$0] != nil }
      let places = prioritised.indices.sorted {
        (priorities[prioritised[$1], default: 0], $0) < (priorities[prioritised[$0], default: 0], $1)
      }
      ids = places.map { prioritised[$0] } + ids.filter { priorities[$0] == nil }
    }
    contents.order = QueueContents.Order(first + ids, .tracks)
  }

  /// New items have entered the queue: they are played at random, but not before the current item and what has a higher priority.
  mutating func takeIntoOrder(_ ids: [UInt64]) {
    guard let order = contents.order else { return }
    guard order.random == .tracks else { return followPositions() }
    var start = placeForNext
    let prioritised = contents.items.pages.lazy.filter(\.marks.priority).flatMap(\.entries)
      .filter { $0.priority > 0 }.map(\.id)
    if let last = order.ids.indexes(of: Array(prioritised)).last { start = max(start, last + 1) }
    let new = scattered(ids, among: start..<order.ids.count)
    contents.order?.insert(new)
  }

  /// Positions have changed: of shuffled albums, each is whole and by position again, new ones behind the current one.
  mutating func followPositions() {
    guard let order = contents.order, order.random == .albums else { return }
    let next = nextIDs
    var groups = albums(except: next)
    let groupOf = Dictionary(
      uniqueKeysWithValues: groups.indices.lazy.flatMap { group in groups[group].ids.lazy.map { ($0, group) }
      })
    var (known, isKnown) = ([Int](), [Bool](repeating: false, count: groups.count))
    for id in order.ids.elements {
      guard let group = groupOf[id], !isKnown[group] else { continue }
      isKnown[group] = true
      known.append(group)
    }
    let current = contents.current.flatMap { groupOf[$0] }
    let start = current.flatMap { known.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let new = groups.indices.filter { !isKnown[$0] }
    let last = known[start...].lastIndex(where: { groups[$0].priority > 0 }).map { $0 + 1 } ?? start
    var places: [Int] = []
    var begin = 0
    for (group, place) in scattered(new.map { UInt64($0) }, among: last..<known.count) {
      places += known[begin..<place]
      places.append(Int(group))
      begin = place
    }
    places += known[begin...]
    groups = places.map { groups[$0] }
    setOrder(groups, next)
  }

  /// An item behind the current one is played now: it, or its album, is behind the current one, or its album, and not those between.
  mutating func bringForward(_ id: UInt64) {
    guard let order = contents.order, let place = order.ids.index(of: id) else { return }
    let current = contents.current.flatMap { order.ids.index(of: $0) }
    guard place > current ?? -1 else { return }
    var (low, high) = (place, place + 1)
    var target = (current ?? -1) + 1
    if order.random == .albums {
      let album = self.album(at: place)
      while low > target, self.album(at: low - 1) == album { low -= 1 }
      while high < order.ids.count, self.album(at: high) == album { high += 1 }
      let played = current.flatMap { self.album(at: $0) }
      while let played, target < low, self.album(at: target) == played { target += 1 }
    }
    guard target < low else { return }
    contents.order?.keep([0..<target, low..<high, target..<low, high..<order.ids.count])
  }

  /// The ids that are to be played next, in playing order: those right behind the current item that were put there.
  var nextIDs: [UInt64] {
    let marked = Set(
      contents.items.pages.lazy.filter(\.marks.next).flatMap(\.entries).filter(\.isNext).map(\.id))
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

  /// The place in playing order behind the current item and what is to be played next.
  var placeForNext: Int { (contents.current.flatMap { place(of: $0) }.map { $0 + 1 } ?? 0) + nextIDs.count }

  /// The position behind the current item and what was put there to be played next.
  var positionForNext: Int {
    var position = currentPosition.map { $0 + 1 } ?? 0
    var cursor = PageList<QueueEntry>.Cursor(contents.items, position)
    while let entry = cursor.next(), entry.isNext { position += 1 }
    return position
  }

  /// The ids in a random order, each with a random place of `places` (or their end), in rising order.
  mutating func scattered(_ ids: [UInt64], among places: Range<Int>) -> [(id: UInt64, place: Int)] {
    var ids = ids
    random.shuffle(&ids)
    let drawn = ids.map { _ in places.lowerBound + random.index(below: places.count + 1) }.sorted()
    return zip(ids, drawn).map { (id: $0, place: $1) }
  }

  mutating func setOrder(_ groups: [QueueGroup], _ next: [UInt64]) {
    var ids: [UInt64] = []
    ids.reserveCapacity(contents.items.count)
    for group in groups { ids += group.ids }
    if !next.isEmpty {
      let place = contents.current.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      ids.insert(contentsOf: next, at: place)
    }
    contents.order = QueueContents.Order(ids, modes.random)
  }
}
