// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import Testing

@testable import MusicModel

extension PlayQueue {
  /// The ids of all items in playing order.
  var idsInPlayingOrder: [Item.ID] {
    let ids = contents.order?.ids.elements ?? contents.items.elements.map(\.id)
    return ids.map { Item.ID(rawValue: $0) }
  }
}

/// A model of ``PlayQueue`` that uses plain arrays. Where the result is random, it checks and adopts that of the real
/// queue.
struct NaiveQueue {
  struct Entry: Equatable {
    var id: UInt64
    var track: Track
    var album: String
    var priority: UInt8 = 0
    var isMissing = false
    var isNext = false
  }

  struct Contents {
    var title = ""
    var items: [Entry] = []
    var order: [UInt64]?
    var random = QueueModes.Random.off
    var current: UInt64?
    var elapsed = Duration.zero
  }

  var contents = Contents()
  var modes = QueueModes()
  var lastID: UInt64 = 0
  var undoable: [(name: String, contents: Contents)] = []
  var redoable: [(name: String, contents: Contents)] = []

  var ids: [UInt64] { contents.items.map(\.id) }
  var order: [UInt64] { contents.order ?? ids }
  var position: Int? { contents.items.firstIndex { $0.id == contents.current } }

  func positions(_ selection: QueueSelection) -> [Int] {
    switch selection {
    case .positions(let ranges):
      contents.items.indices.filter { index in ranges.contains { $0.contains(index) } }
    case .items(let ids):
      contents.items.indices.filter { ids.map(\.rawValue).contains(contents.items[$0].id) }
    }
  }

  /// Returns a text that identifies the album of a track.
  static func album(_ track: Track) -> String {
    let album = "\(track.album ?? "-")|\(track.albumArtists)"
    return track.album == nil || track.albumArtists.isEmpty
      ? "\(album)|\(track.path.removingLastComponent().string)" : album
  }

  func album(_ id: UInt64) -> String? { contents.items.first { $0.id == id }?.album }

  var albums: [UInt64: String] {
    Dictionary(uniqueKeysWithValues: contents.items.map { ($0.id, $0.album) })
  }

  /// The ids directly after the current one in playing order whose items were added to play next.
  var next: [UInt64] {
    let (order, marked) = (order, Set(contents.items.lazy.filter(\.isNext).map(\.id)))
    let start = contents.current.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return Array(order[start...].prefix { marked.contains($0) })
  }

  /// The index in playing order at which items that are added to play next are inserted.
  var orderIndexForNext: Int {
    (contents.current.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0) + next.count
  }

  func after(_ id: UInt64) -> UInt64? {
    guard let index = order.firstIndex(of: id) else { return nil }
    return index + 1 < order.count ? order[index + 1] : modes.repeat == .all ? order[0] : nil
  }

  func before(_ id: UInt64) -> UInt64? {
    guard let index = order.firstIndex(of: id) else { return nil }
    return index > 0 ? order[index - 1] : modes.repeat == .all ? order.last : nil
  }

  func successor(_ id: UInt64) -> UInt64? {
    guard let index = order.firstIndex(of: id), modes.stopAfter != .current else { return nil }
    if modes.single != .off, modes.repeat == .off { return nil }
    if modes.repeat == .one || modes.single != .off && !modes.consume { return id }
    let isEnd = index + 1 == order.count || album(order[index + 1]) != album(id)
    if isEnd, modes.stopAfter == .album { return nil }
    let isAlbumWise = modes.repeat == .album || modes.stopAfter == .album
    guard modes.repeat == .album, isEnd else {
      return after(id).flatMap { modes.consume && !isAlbumWise && $0 == id ? nil : $0 }
    }
    return order[...index].reversed().prefix { album($0) == album(id) }.last
  }
}

/// Checks of random playing orders.
extension NaiveQueue {
  /// Checks that the real queue's order has the same items and keeps albums whole; with `isExact`, that it is the same
  /// order.
  mutating func checkOrder(_ queue: PlayQueue, isExact: Bool) {
    let new = queue.idsInPlayingOrder.map(\.rawValue)
    if isExact { #expect(new == order) }
    #expect(new.sorted() == ids.sorted())
    guard contents.random == .albums else { return }
    let positionOf = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let marked = Set(contents.items.filter(\.isNext).map(\.id))
    let plain = new.filter { !marked.contains($0) }
    let albumOf = self.albums
    let albums = plain.compactMap { albumOf[$0] }
    #expect(Self.groups(albums).count == Set(albums).count, "every album is whole")
    for group in Dictionary(grouping: plain, by: { albumOf[$0] }).values {
      let positions = group.compactMap { positionOf[$0] }
      #expect(positions == positions.sorted(), "every album is by position")
    }
  }

  /// Adopts a newly made order, which must begin with the current item or its album.
  mutating func adoptNewOrder(_ queue: PlayQueue, keepsNext: Bool = true) {
    let next = keepsNext ? next : []
    contents.random = modes.random
    guard modes.random != .off else { return contents.order = nil }
    adoptOrder(queue)
    let currentIndex = contents.current.flatMap { order.firstIndex(of: $0) }
    if let currentIndex {
      if modes.random != .albums { #expect(currentIndex == 0) }
      #expect(Set(order[...currentIndex].compactMap { album($0) }).count == 1)
    }
    let start = currentIndex.map { $0 + 1 } ?? 0
    #expect(Array(order[start...].prefix(next.count)) == next, "what is to be played next stays there")
    guard modes.random != .albums else { return }
    let priorityOf = Dictionary(uniqueKeysWithValues: contents.items.map { ($0.id, $0.priority) })
    let priorities = order[(start + next.count)...].map { priorityOf[$0] ?? 0 }
    #expect(priorities == priorities.sorted(by: >))
  }

  /// Adopts an order in which the new ids come somewhere after the current one; in random album order, the albums keep
  /// the order of `old`.
  mutating func adoptMixedOrder(_ queue: PlayQueue, _ old: NaiveQueue, _ new: Set<UInt64>) {
    guard contents.random != .off else { return checkOrder(queue, isExact: true) }
    adoptOrder(queue)
    if contents.random != .albums {
      #expect(order.filter { !new.contains($0) } == old.order)
      #expect(order.prefix(old.orderIndexForNext) == old.order.prefix(old.orderIndexForNext))
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

  /// Adopts an order in which the item that is now played was moved directly after the previously current one.
  mutating func adoptOrderBroughtForward(_ queue: PlayQueue, _ id: UInt64) {
    guard [.tracks, .spread].contains(contents.random) else {
      return contents.random == .off ? () : adoptOrder(queue)
    }
    let currentIndex = contents.current.flatMap { order.firstIndex(of: $0) } ?? -1
    if let index = order.firstIndex(of: id), index > currentIndex {
      contents.order?.remove(at: index)
      contents.order?.insert(id, at: currentIndex + 1)
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
    adoptOrder(queue)
    #expect(next.starts(with: old.next))
    guard contents.random != .albums else { return }
    #expect(order.filter { !ids.contains($0) } == old.order.filter { !ids.contains($0) })
  }

  /// Adopts the playing order of the real queue.
  private mutating func adoptOrder(_ queue: PlayQueue) {
    contents.order = queue.idsInPlayingOrder.map(\.rawValue)
    checkOrder(queue, isExact: false)
  }
}

extension NaiveQueue {
  /// Applies an action that is not an edit. `queue` is the real queue after the same action.
  mutating func applyPlayback(_ action: QueueAction, _ queue: PlayQueue) {
    switch action {
    case .undo(let steps):
      for _ in 0..<max(0, min(steps, undoable.count)) {
        guard let step = undoable.popLast() else { return }
        redoable.append((step.name, contents))
        restore(step.contents, queue)
      }
    case .redo(let steps):
      for _ in 0..<max(0, min(steps, redoable.count)) {
        guard let step = redoable.popLast() else { return }
        undoable.append((step.name, contents))
        restore(step.contents, queue)
      }
    case .setRepeat(let mode): modes.repeat = mode
    case .setSingle(let mode): modes.single = mode
    case .setConsume(let isOn, let once): (modes.consume, modes.consumesOnce) = (isOn, isOn && once)
    case .stopAfter(let point): modes.stopAfter = point
    case .setRandom(let mode, _):
      modes.random = mode
      adoptNewOrder(queue)
    case .elapsed(let duration): if contents.current != nil { contents.elapsed = duration }
    case .play(let id, let from):
      guard ids.contains(id.rawValue) else { return }
      if id.rawValue != contents.current { adoptOrderBroughtForward(queue, id.rawValue) }
      contents.current = id.rawValue
      contents.elapsed = from
      clearPriority()
    case .skipped(let id), .advanced(let id), .paused(let id):
      guard ids.contains(id.rawValue) else { return }
      if case .paused = action, modes.single == .once { modes.single = .off }
      advance(to: id.rawValue, queue)
      clearPriority()
    case .finished:
      guard let current = contents.current else { return }
      let wraps = order.last == current && modes.repeat == .all && modes.random != .off
      // This is random: check that the queue chose a different item, if there are others.
      var next = wraps ? queue.current?.id.rawValue : after(current)
      if wraps, ids.count > 1 { #expect(next != nil && next != current) }
      if wraps, ids.count == 1, !modes.consume { next = current }
      modes.stopAfter = nil
      advance(to: modes.consume && next == current ? nil : next, queue)
    case .availability(let missing, let found):
      for index in contents.items.indices
      where missing.contains(where: { $0.rawValue == contents.items[index].id }) {
        contents.items[index].isMissing = true
      }
      for index in contents.items.indices
      where found.contains(where: { $0.rawValue == contents.items[index].id }) {
        contents.items[index].isMissing = false
      }
    default: break
    }
  }

  /// Removes the priority of the current item, which has been used up.
  private mutating func clearPriority() {
    for index in contents.items.indices where contents.items[index].id == contents.current {
      contents.items[index].priority = 0
    }
  }

  private mutating func advance(to id: UInt64?, _ queue: PlayQueue) {
    let previous = contents.current
    let wraps = previous != nil && order.last == previous && modes.repeat == .all && modes.random != .off
    contents.current = id
    contents.elapsed = .zero
    guard let previous, previous != id else { return }
    if modes.consume, let index = ids.firstIndex(of: previous) {
      removeItems(at: [index])
      if modes.consumesOnce { (modes.consume, modes.consumesOnce) = (false, false) }
    }
    if wraps, id != nil { adoptNewOrder(queue, keepsNext: false) }
  }

  private mutating func restore(_ restored: Contents, _ queue: PlayQueue) {
    let (current, elapsed) = (contents.current, contents.elapsed)
    contents = restored
    if let current, ids.contains(current) { (contents.current, contents.elapsed) = (current, elapsed) }
    if contents.random != modes.random { adoptNewOrder(queue) }
  }
}
