/// Items that stay together under random albums: those of each album, by position; the album whose first item stands
/// first first.
struct AlbumGroups<Member> {
  /// The members of all groups, one group behind the other.
  let members: [Member]
  /// The index of each group's first member, and behind the last member.
  private let starts: [Int]
  /// The highest priority of a member of each group.
  let priorities: [UInt8]

  /// The groups of what stands in these `groups`, of which there are as many as `priorities`.
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

  /// The numbers of the groups.
  var indices: Range<Int> { priorities.indices }

  /// The members of a group.
  subscript(group: Int) -> ArraySlice<Member> { members[starts[group]..<starts[group + 1]] }

  /// The group of the member at an index of ``members``.
  func group(at index: Int) -> Int { starts.firstIndex(behind: index) - 1 }
}

extension AlbumGroups<UInt64> {
  /// The group of each member.
  var groupOf: NumberTable {
    var table = NumberTable(for: members, count: members.count)
    for group in indices { for id in self[group] { table[id] = group } }
    return table
  }
}

extension PlayQueue {
  /// The albums of the items in `range`, or those of them with the `wanted` keys, without the items `except`.
  func albums<Member>(
    in range: Range<Int>? = nil, _ wanted: [UInt64]? = nil, except: [UInt64] = [],
    of member: (QueueEntry) -> Member
  ) -> AlbumGroups<Member> {
    let range = range ?? 0..<contents.items.count
    let except = Set(except)
    let pages = wanted.map { table.numbers(of: $0) }
    var numbers = AlbumNumbers(items, wanted.map { NumberSet($0) })
    var rows: [(member: Member, group: Int32)] = []
    if wanted == nil { rows.reserveCapacity(range.count) }
    var priorities: [UInt8] = []
    items.visit(range, pages: pages) { entry in
      guard except.isEmpty || !except.contains(entry.id), let group = numbers[entry] else { return }
      if group == priorities.count { priorities.append(0) }
      if entry.priority > priorities[group] { priorities[group] = entry.priority }
      rows.append((member(entry), Int32(truncatingIfNeeded: group)))
    }
    return AlbumGroups(rows, priorities: priorities)
  }

  /// The albums of the queue as their items' ids, without the items `except`.
  func albums(_ wanted: [UInt64]? = nil, except: [UInt64]) -> AlbumGroups<UInt64> {
    albums(wanted, except: except) { $0.id }
  }
}
