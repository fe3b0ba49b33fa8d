// SPDX-License-Identifier: GPL-3.0-or-later

/// Queue items grouped by album, for the random order of albums. The items of an album are sorted by position, and the
/// albums by the position of their first item.
struct AlbumGroups<Member> {
  /// The members of all groups, one group after another.
  let members: [Member]
  /// The index in ``members`` where each group starts, and the end index of the last group.
  private let starts: [Int]
  /// The highest priority in each group.
  let priorities: [UInt8]

  /// Creates groups from members and their group numbers. There are as many groups as `priorities`.
  init(_ rows: [(member: Member, group: Int32)], priorities: [UInt8]) {
    self.priorities = priorities
    var starts = [Int](repeating: 0, count: priorities.count + 1)
    for row in rows { starts[Int(row.group) + 1] += 1 }
    for group in priorities.indices { starts[group + 1] += starts[group] }
    self.starts = starts
    guard let first = rows.first else {
      members = []
      return
    }
    var free = starts
    var members = [Member](repeating: first.member, count: rows.count)
    for row in rows {
      members[free[Int(row.group)]] = row.member
      free[Int(row.group)] += 1
    }
    self.members = members
  }

  /// The group numbers.
  var indices: Range<Int> { priorities.indices }

  /// The members of the group with this number.
  subscript(group: Int) -> ArraySlice<Member> { members[starts[group]..<starts[group + 1]] }

  /// Returns the group number of the member at an index of ``members``.
  func group(at index: Int) -> Int { starts.firstIndex(above: index) - 1 }
}

extension AlbumGroups<UInt64> {
  /// The group number of each member, by item ID.
  var groupOf: NumberTable {
    var table = NumberTable(for: members, count: members.count)
    for group in indices { for id in self[group] { table[id] = group } }
    return table
  }
}

extension PlayQueue {
  /// Groups the items in `ranges`, or all items, by album, excluding items whose IDs are in `except`. If album keys are
  /// given as `wanted`, only those albums are included. The closure `member` returns what to store for an item.
  func albums<Member>(
    in ranges: [Range<Int>]? = nil, _ wanted: [UInt64]? = nil, except: [UInt64] = [],
    of member: (QueueEntry) -> Member
  ) -> AlbumGroups<Member> {
    let ranges = ranges ?? [0..<contents.items.count]
    let except = Set(except)
    let pages = wanted.map { table.pageNumbers(withAlbums: $0) }
    var numbers = AlbumNumbers(items, wanted.map { NumberSet($0) })
    var rows: [(member: Member, group: Int32)] = []
    if wanted == nil { rows.reserveCapacity(ranges.totalCount) }
    var priorities: [UInt8] = []
    for range in ranges {
      items.visit(range, pages: pages) { entry in
        guard except.isEmpty || !except.contains(entry.id), let group = numbers[entry] else { return }
        if group == priorities.count { priorities.append(0) }
        if entry.priority > priorities[group] { priorities[group] = entry.priority }
        rows.append((member(entry), Int32(truncatingIfNeeded: group)))
      }
    }
    return AlbumGroups(rows, priorities: priorities)
  }

  /// Groups the IDs of the queue's items by album, excluding the IDs in `except`. If album keys are given as `wanted`,
  /// only those albums are included.
  func albums(_ wanted: [UInt64]? = nil, except: [UInt64]) -> AlbumGroups<UInt64> {
    albums(wanted, except: except) { $0.id }
  }
}

/// Updates of a shuffled order after small changes, for which only the changed albums are examined.
extension PlayQueue {
  /// Updates a shuffled order of albums after these items have been added or moved. Each album is contiguous and
  /// sorted by position again, and new albums come after the current one.
  mutating func updateOrder(afterMoving changed: [QueueEntry]) {
    guard let order = contents.order, order.random == .albums, !changed.isEmpty else { return }
    guard changed.count <= contents.items.count / 8 else { return updateOrder() }
    let (interruption, marked) = (interruption, queuedNextIDs)
    let groups = albums(changed.map { album(of: $0) }, except: interruption.ids)
    let groupOf = groups.groupOf
    // Items that were queued to play next and interrupt one of these albums move with it.
    let isInterrupted = interruption.anchor.map { groupOf[$0] != nil } ?? false
    let removed = order.ids.indexes(of: groups.members + (isInterrupted ? interruption.ids : []))

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
    let start = new.isEmpty ? 0 : placeAfterPriorities(order)
    let insertions = new.map { group in
      (group: group, place: others[group] ?? start + random.index(below: order.ids.count - start + 1))
    }
    for (insertion, end) in zip(insertions, albumEnds(insertions.map(\.place), order, marked)) {
      places[insertion.group] = end
    }

    let rows = groups.indices.map { group in (ids: Array(groups[group]), place: places[group] ?? 0) }
    contents.order?.replace(
      removed.ranges,
      with: rows.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        .map { _, row in
          guard isInterrupted, let anchor = row.ids.firstIndex(where: { $0 == interruption.anchor }) else { return row }
          return (row.ids[...anchor] + interruption.ids + row.ids[(anchor + 1)...], row.place)
        })
  }

  /// Returns, for each of these places in the playing order, the first place from there on that is not within an album.
  private func albumEnds(_ places: [Int], _ order: QueueContents.Order, _ marked: Set<UInt64>) -> [Int] {
    var ends = places
    var open: [(index: Int, before: UInt64)] = []
    for (index, place) in places.enumerated() {
      var before = place - 1
      while before >= 0, marked.contains(order.ids[before]) { before -= 1 }
      if before >= 0 { open.append((index, order.ids[before])) }
    }
    // Most albums end soon, so few places are examined first. Each pass over the queue looks up the albums of all
    // places.
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

  /// Returns the album keys of the items with these IDs, by item ID.
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

/// Numbers the albums of queue items from 0, in the order of their first look-up. Each page of tracks is read once, as
/// a whole.
struct AlbumNumbers {
  private let items: PlayQueue.Items
  private let wanted: NumberSet?
  /// The index in ``albums`` where the tracks of each page start, for all pages read so far.
  private var pages: NumberTable
  /// The index in ``numbers`` of each track's album, for all pages read so far; -1 if the album is not wanted.
  private var albums: [Int32] = []
  private var known: [UInt64: Int32] = [:]
  /// The number of each album; -1 until it is looked up.
  private var numbers: [Int32] = []
  private var last: (page: UInt32, start: Int)?
  private var count: Int32 = 0

  /// Creates a numbering of the items' albums, or only of the albums with `wanted` keys.
  init(_ items: PlayQueue.Items, _ wanted: NumberSet?) {
    (self.items, self.wanted) = (items, wanted)
    pages = NumberTable(
      for: items.table.pages.keys.lazy.map { UInt64($0) }, count: wanted == nil ? items.count : 0)
    if wanted == nil { known.reserveCapacity(items.count / 8) }
  }

  /// The number of an item's album, or `nil` if the album is not wanted.
  subscript(entry: QueueEntry) -> Int? {
    mutating get {
      let album = Int(albums[start(entry) + Int(entry.index)])
      guard album >= 0 else { return nil }
      if numbers[album] < 0 {
        numbers[album] = count
        count += 1
      }
      return Int(numbers[album])
    }
  }

  private mutating func start(_ entry: QueueEntry) -> Int {
    if let last, last.page == entry.page { return last.start }
    let start = pages[UInt64(entry.page)] ?? read(entry)
    last = (entry.page, start)
    return start
  }

  private mutating func read(_ entry: QueueEntry) -> Int {
    let tracks = items.tracks(entry)
    let start = albums.count
    pages[UInt64(entry.page)] = start
    var last: (key: UInt64, album: Int32)?
    for index in 0..<tracks.count {
      let key = tracks.album(index)
      if last?.key != key { last = (key, album(key)) }
      albums.append(last?.album ?? -1)
    }
    return start
  }

  private mutating func album(_ key: UInt64) -> Int32 {
    if let album = known[key] { return album }
    guard wanted?.contains(key) ?? true else { return -1 }
    let album = Int32(truncatingIfNeeded: numbers.count)
    numbers.append(-1)
    known[key] = album
    return album
  }
}
