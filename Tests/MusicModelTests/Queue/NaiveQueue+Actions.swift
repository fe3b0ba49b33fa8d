// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

extension NaiveQueue {
  /// Applies an action. `queue` is the real queue after the same action.
  mutating func apply(_ action: QueueAction, _ queue: PlayQueue) {
    switch action {
    case .enqueue(let collection, let item):
      edit(name(item.map { collection.tracks.indices.contains($0) } == true ? "play" : "load", collection)) { model in
        model.contents = Contents(title: collection.title, items: model.entries(collection))
        model.contents.current = item.flatMap { model.ids.indices.contains($0) ? model.ids[$0] : nil }
        model.adoptNewOrder(queue)
      }
    case .add(let collection, let target) where !collection.tracks.isEmpty:
      edit(name("add", collection)) { model in
        let (old, count, orderIndex) = (model, model.contents.items.count, model.orderIndexForNext)
        var position = model.position.map { $0 + 1 } ?? 0
        while position < count, model.contents.items[position].isNext { position += 1 }
        if target == .end { position = count }
        if case .position(let requested) = target { position = min(max(0, requested), count) }
        let new = model.entries(collection, isNext: target == .next)
        model.contents.items.insert(contentsOf: new, at: position)
        if target == .next {
          model.contents.order?.insert(contentsOf: new.map(\.id), at: orderIndex)
          model.checkOrder(queue, isExact: true)
        } else {
          model.adoptMixedOrder(queue, old, Set(new.map(\.id)))
        }
      }
    case .remove(let selection): remove("remove", positions(selection), queue)
    case .clear: remove("clear", Array(contents.items.indices), queue)
    case .crop(let selection):
      let remaining = selection.map { positions($0) } ?? position.map { [$0] } ?? []
      if !remaining.isEmpty { remove("crop", contents.items.indices.filter { !remaining.contains($0) }, queue) }
    case .dedupe:
      let current = contents.items.first { $0.id == contents.current }.map { Self.file($0.track) }
      var seen: Set<[String]> = []
      let removed = contents.items.indices.filter { index in
        let item = contents.items[index]
        let file = Self.file(item.track)
        return file == current ? item.id != contents.current : !seen.insert(file).inserted
      }
      remove("dedupe", removed, queue)
    case .move(let selection, let to):
      let moved = positions(selection)
      let name = "move (\(moved.count) \(moved.count == 1 ? "item" : "items"))"
      arrange(name, queue) { items in
        let block = moved.map { items[$0] }
        items = items.indices.filter { !moved.contains($0) }.map { items[$0] }
        items.insert(contentsOf: block, at: min(max(0, to), items.count))
      }
    case .swap(let one, let other):
      guard let one = ids.firstIndex(of: one.rawValue), let other = ids.firstIndex(of: other.rawValue) else { return }
      arrange("swap", queue) { $0.swapAt(one, other) }
    case .shuffle(let selection, let unit, _, let first): shuffle(selection, unit, queue, first: first?.rawValue)
    case .sort(let selection, let key, let descending):
      let chosen = selection.map { positions($0) } ?? Array(ids.indices)
      let names = Self.sortNames(of: chosen.map { contents.items[$0].track })
      arrange("sort by \(key.rawValue)\(descending ? ", descending" : "")", queue) { items in
        let sorted = chosen.map { items[$0] }.enumerated().sorted { left, right in
          let isBefore = Self.isBefore(left.element.track, right.element.track, key, names)
          let isAfter = Self.isBefore(right.element.track, left.element.track, key, names)
          return isBefore || isAfter ? isBefore != descending : left.offset < right.offset
        }
        for (index, item) in zip(chosen, sorted) { items[index] = item.element }
      }
    case .setRange(let id, let start, let end):
      guard let index = ids.firstIndex(of: id.rawValue) else { return }
      let part = contents.items[index].track.played(from: start, to: end)
      guard part != contents.items[index].track else { return }
      lastID += 1
      edit("range") { queue in
        queue.contents.items[index].track = part
        if queue.contents.current == id.rawValue { queue.contents.elapsed = .zero }
      }
    case .prioritise(let selection, let priority): prioritise(positions(selection), priority, queue)
    default: applyPlayback(action, queue)
    }
  }

  mutating func edit(_ name: String, _ change: (inout NaiveQueue) -> Void) {
    undoable.append((name, contents))
    if undoable.count > PlayQueue.historyCapacity { undoable.removeFirst() }
    redoable = []
    change(&self)
  }

  private func name(_ verb: String, _ collection: TrackCollection) -> String {
    "\(verb) \(collection.title) (\(collection.tracks.count) \(collection.tracks.count == 1 ? "item" : "items"))"
  }

  private mutating func entries(_ collection: TrackCollection, isNext: Bool = false) -> [Entry] {
    collection.tracks.map { track in
      lastID += 1
      return Entry(id: lastID, track: track, album: Self.album(track), isNext: isNext)
    }
  }

  private static func file(_ track: Track) -> [String] {
    [track.path.string, track.segment.map { "\($0.start)-\($0.end ?? -1)" } ?? ""]
  }

  /// Returns the first of the sort names that the tracks state for each artist.
  private static func sortNames(of tracks: [Track]) -> [String: String] {
    var names: [String: String] = [:]
    for track in tracks {
      let artists = track.artists.joined(separator: ", ")
      let albumArtists = track.albumArtists.isEmpty ? artists : track.albumArtists.joined(separator: ", ")
      for (name, sortName) in [(artists, track.sortNames.artist), (albumArtists, track.sortNames.albumArtist)] {
        guard let sortName, !name.isEmpty else { continue }
        names[name.lowercased()] = min(names[name.lowercased()] ?? sortName, sortName)
      }
    }
    return names
  }

  private static func isBefore(
    _ left: Track, _ right: Track, _ key: QueueSortKey, _ names: [String: String]
  ) -> Bool {
    sortTexts(left, key, names).lexicographicallyPrecedes(sortTexts(right, key, names))
  }

  /// Returns the sort key of a track as texts, of which the first one that differs decides; unknown values come last.
  private static func sortTexts(_ track: Track, _ key: QueueSortKey, _ names: [String: String]) -> [String] {
    func text(artist name: String, stated: String?) -> String { text(names[name.lowercased()] ?? stated ?? name) }
    func text(_ name: String?) -> String {
      name.map { $0.isEmpty ? "\u{10FFFF}" : $0.lowercased() } ?? "\u{10FFFF}"
    }
    func text(_ number: Int) -> String { String(String(number + 1_000_000).suffix(6)) }
    let date = track.date.map { text($0.year) + text($0.month ?? 0) + text($0.day ?? 0) }
    return switch key {
    case .title: [(track.sortNames.title ?? track.title).lowercased()]
    case .artist: [text(artist: track.artists.joined(separator: ", "), stated: track.sortNames.artist)]
    case .album:
      [
        text(
          artist: (track.albumArtists.isEmpty ? track.artists : track.albumArtists).joined(separator: ", "),
          stated: track.sortNames.albumArtist),
        text(date), text(track.sortNames.album ?? track.album), text(track.disc?.number ?? 1),
        track.disc == nil ? track.additionalTags[.discSubtitle].first?.lowercased() ?? "" : "",
        text(track.number?.number ?? 999_999),
      ]
    case .date: [text(date)]
    case .duration: [text(track.duration.map { text(Int($0 / .milliseconds(1))) })]
    case .path: [track.path.string]
    }
  }

  private mutating func remove(_ verb: String, _ removed: [Int], _ queue: PlayQueue) {
    guard !removed.isEmpty else { return }
    edit("\(verb) (\(removed.count) \(removed.count == 1 ? "item" : "items"))") { $0.removeItems(at: removed) }
    checkOrder(queue, isExact: true)
  }

  mutating func removeItems(at removed: [Int]) {
    let ids = Set(removed.map { contents.items[$0].id })
    if let current = contents.current, ids.contains(current), let index = order.firstIndex(of: current) {
      contents.current = order[index...].first { !ids.contains($0) }
      contents.elapsed = .zero
    }
    contents.items.removeAll { ids.contains($0.id) }
    contents.order?.removeAll { ids.contains($0) }
  }

  private mutating func arrange(_ name: String, _ queue: PlayQueue, _ change: (inout [Entry]) -> Void) {
    var items = contents.items
    change(&items)
    guard items != contents.items else { return }
    let old = self
    edit(name) { $0.contents.items = items }
    adoptMixedOrder(queue, old, [])
  }

  private mutating func shuffle(
    _ selection: QueueSelection?, _ unit: ShuffleUnit, _ queue: PlayQueue, first: UInt64?
  ) {
    let chosen = selection.map { positions($0) } ?? Array(ids.indices)
    let new = queue.items.indices.map { queue.items.id(at: $0).rawValue }
    let (before, after) = (chosen.map { ids[$0] }, chosen.map { new[$0] })
    if unit == .tracks, let first, chosen.count > 1, before.contains(first) { #expect(after.first == first) }
    guard new != ids else { return }
    #expect(ids.indices.allSatisfy { chosen.contains($0) || new[$0] == ids[$0] })
    #expect(after.sorted() == before.sorted())
    if unit == .albums {
      let albumOf = albums
      #expect(
        Self.groups(after.compactMap { albumOf[$0] }).count == Set(before.map { albumOf[$0] }).count)
      let groups = Dictionary(grouping: before, by: { albumOf[$0] })
      #expect(groups == Dictionary(grouping: after, by: { albumOf[$0] }))
    }
    let entries = Dictionary(uniqueKeysWithValues: contents.items.map { ($0.id, $0) })
    arrange(unit == .tracks ? "shuffle" : "shuffle by album", queue) { items in
      items = new.compactMap { entries[$0] }
    }
  }

  /// Removes consecutive duplicates.
  static func groups(_ texts: [String]) -> [String] {
    texts.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}
