import MusicModel
import Testing

/// What chance may make of the playing order.
extension NaiveQueue {
  /// The queue's order, by chance in parts; of the same items, albums whole.
  mutating func checkOrder(_ queue: PlayQueue, isExact: Bool) {
    let new = queue.idsInPlayingOrder.map(\.rawValue)
    if isExact { #expect(new == order) }
    #expect(new.sorted() == ids.sorted())
    guard contents.random == .albums else { return }
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let marked = Set(contents.items.filter(\.isNext).map(\.id))
    let plain = new.filter { !marked.contains($0) }
    let albumOf = self.albums
    let albums = plain.compactMap { albumOf[$0] }
    #expect(Self.groups(albums).count == Set(albums).count, "every album is whole")
    for group in Dictionary(grouping: plain, by: { albumOf[$0] }).values {
      let positions = group.compactMap { places[$0] }
      #expect(positions == positions.sorted(), "every album is by position")
    }
  }

  /// An order that was made anew: the current item, or its album, comes first.
  mutating func takeNewOrder(_ queue: PlayQueue, keepsNext: Bool = true) {
    let next = keepsNext ? next : []
    contents.random = modes.random
    guard modes.random != .off else { return contents.order = nil }
    take(queue)
    let place = contents.current.flatMap { order.firstIndex(of: $0) }
    if let place {
      if modes.random == .tracks { #expect(place == 0) }
      #expect(Set(order[...place].compactMap { album($0) }).count == 1)
    }
    let start = place.map { $0 + 1 } ?? 0
    #expect(Array(order[start...].prefix(next.count)) == next, "what is to be played next stays there")
    guard modes.random == .tracks else { return }
    let priorityOf = Dictionary(uniqueKeysWithValues: contents.items.map { ($0.id, $0.priority) })
    let priorities = order[(start + next.count)...].map { priorityOf[$0] ?? 0 }
    #expect(priorities == priorities.sorted(by: >))
  }

  /// The order of `old` with new ids somewhere behind the current one; under random albums, the albums in the order of
  /// `old`.
  mutating func takeMixedOrder(_ queue: PlayQueue, _ old: NaiveQueue, _ new: Set<UInt64>) {
    guard contents.random != .off else { return checkOrder(queue, isExact: true) }
    take(queue)
    if contents.random == .tracks {
      #expect(order.filter { !new.contains($0) } == old.order)
      #expect(order.prefix(old.placeForNext) == old.order.prefix(old.placeForNext))
    } else {
      func albums(_ ids: [UInt64]) -> [String] {
        var seen: Set<String> = []
        let albumOf = self.albums
        let marked = Set(contents.items.filter(\.isNext).map(\.id))
        return ids.filter { !marked.contains($0) }.compactMap { albumOf[$0] }.filter {
          seen.insert($0).inserted
        }
      }
      let known = albums(old.order)
      #expect(albums(order).filter { known.contains($0) } == known)
      #expect(next.starts(with: old.next))
    }
  }

  /// An order in which what is played now was brought right behind what was current.
  mutating func takeOrderBroughtForward(_ queue: PlayQueue, _ id: UInt64) {
    guard contents.random == .tracks else { return contents.random == .off ? () : take(queue) }
    let place = contents.current.flatMap { order.firstIndex(of: $0) } ?? -1
    if let index = order.firstIndex(of: id), index > place {
      contents.order?.remove(at: index)
      contents.order?.insert(id, at: place + 1)
    }
    checkOrder(queue, isExact: true)
  }

  mutating func prioritise(_ changed: [Int], _ priority: UInt8, _ queue: PlayQueue) {
    let changed = changed.filter { contents.items[$0].priority != priority }
    guard !changed.isEmpty else { return }
    let (ids, old) = (Set(changed.map { contents.items[$0].id }), self)
    undoable.append(("", contents))
    undoable[undoable.count - 1].name = queue.undoable.last ?? ""
    if undoable.count > PlayQueue.historyCapacity { undoable.removeFirst() }
    redoable = []
    for index in changed { contents.items[index].priority = priority }
    guard contents.random != .off else { return }
    take(queue)
    #expect(next.starts(with: old.next))
    guard contents.random == .tracks else { return }
    #expect(order.filter { !ids.contains($0) } == old.order.filter { !ids.contains($0) })
  }

  private mutating func take(_ queue: PlayQueue) {
    contents.order = queue.idsInPlayingOrder.map(\.rawValue)
    checkOrder(queue, isExact: false)
  }
}
