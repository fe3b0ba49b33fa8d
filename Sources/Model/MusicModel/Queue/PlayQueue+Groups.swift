/// What a priority does to the playing order.
extension PlayQueue {
  /// These items have this priority now: of what is not played yet, they come behind what has a higher one and before
  /// what has a lower one, at random among their like. What was played already is played again if it has a higher one
  /// now than the current item, and had not before.
  mutating func followPriorities(_ changed: [QueueEntry], _ priority: UInt8) {
    guard let order = contents.order else { return }
    if order.random == .albums { return followPriorities(ofAlbumsOf: Set(changed.map(\.id))) }
    let start = placeForNext
    let current = contents.current.flatMap { order.ids.index(of: $0) }
    let least =
      contents.current.flatMap { contents.items.index(of: $0) }.map { contents.items[$0].priority } ?? 0
    let again = Set(changed.lazy.filter { priority > least && $0.priority <= least }.map(\.id))
    let places = order.ids.indexes(of: changed.map(\.id)).filter { place in
      place >= start || place < current ?? 0 && again.contains(order.ids[place])
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

  private mutating func followPriorities(ofAlbumsOf changed: Set<UInt64>) {
    guard let order = contents.order else { return }
    let parting = parting
    let groups = albums(except: parting.ids)
    let (groupOf, sequence) = sequence(groups, order)
    let current = parting.anchor.flatMap { groupOf[$0] }.flatMap { sequence.firstIndex(of: $0) }
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
    setOrder(groups, sequence[..<start] + rest, parting.ids, behind: parting.anchor)
  }
}
