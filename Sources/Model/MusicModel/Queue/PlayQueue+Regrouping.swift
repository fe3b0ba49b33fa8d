/// Keeping shuffled albums whole where little has changed: only the changed albums are looked at.
extension PlayQueue {
  /// These items have entered the queue, or have other positions: of shuffled albums, each is whole and by position
  /// again, new ones behind the current one.
  mutating func followPositions(of changed: [QueueEntry]) {
    guard let order = contents.order, order.random == .albums, !changed.isEmpty else { return }
    guard changed.count <= contents.items.count / 8 else { return followPositions() }
    let (parting, marked) = (parting, markedIDs)
    let groups = albums(changed.map { album(of: $0) }, except: parting.ids)
    let groupOf = groups.groupOf
    // What parts one of these albums moves with it.
    let isParted = parting.anchor.map { groupOf[$0] != nil } ?? false
    let removed = order.ids.indexes(of: groups.members + (isParted ? parting.ids : []))

    var places = [Int?](repeating: nil, count: groups.indices.count)
    var others = places
    for place in removed {
      let id = order.ids[place]
      guard let group = groupOf[id] else { continue }
      if marked.contains(id) {
        others[group] = others[group] ?? place
      } else {
        places[group] = places[group] ?? place
      }
    }
    let new = groups.indices.filter { places[$0] == nil }
    let start = new.isEmpty ? 0 : placeBehindPriorities(order)
    let loose = new.map { group in
      (group: group, place: others[group] ?? start + random.index(below: order.ids.count - start + 1))
    }
    for (loose, end) in zip(loose, albumEnds(loose.map(\.place), order, marked)) { places[loose.group] = end }

    let rows = groups.indices.map { group in (ids: Array(groups[group]), place: places[group] ?? 0) }
    contents.order?.replace(
      removed.ranges,
      with: rows.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        .map { _, row in
          guard isParted, let anchor = row.ids.firstIndex(where: { $0 == parting.anchor }) else { return row }
          return (row.ids[...anchor] + parting.ids + row.ids[(anchor + 1)...], row.place)
        })
  }

  /// The first places from these on that stand in no album's midst.
  private func albumEnds(_ places: [Int], _ order: QueueContents.Order, _ marked: Set<UInt64>) -> [Int] {
    var ends = places
    var open: [(index: Int, before: UInt64)] = []
    for (index, place) in places.enumerated() {
      var before = place - 1
      while before >= 0, marked.contains(order.ids[before]) { before -= 1 }
      if before >= 0 { open.append((index, order.ids[before])) }
    }
    // Mostly an album ends soon; what was asked for all at once is found in one pass.
    var length = 32
    while !open.isEmpty {
      let rows = open.map { ends[$0.index]..<min(ends[$0.index] + length, order.ids.count) }
      let albums = albums(of: open.map(\.before) + rows.joined().map { order.ids[$0] })
      var left: [(index: Int, before: UInt64)] = []
      for (album, row) in zip(open, rows) {
        let end = row.first { place in
          let id = order.ids[place]
          return !marked.contains(id) && albums[id] != albums[album.before]
        }
        ends[album.index] = end ?? row.upperBound
        if end == nil, row.upperBound < order.ids.count { left.append(album) }
      }
      (open, length) = (left, 4 * length)
    }
    return ends
  }

  /// The albums of the items with these ids.
  private func albums(of ids: [UInt64]) -> [UInt64: UInt64] {
    var albums: [UInt64: UInt64] = [:]
    for index in contents.items.indexes(of: ids) {
      let entry = contents.items[index]
      albums[entry.id] = album(of: entry)
    }
    return albums
  }

  private func album(of entry: QueueEntry) -> UInt64 { items.tracks(entry).album(Int(entry.index)) }
}
