extension PlayQueue {
  mutating func shuffle(_ positions: Range<Int>?, _ unit: ShuffleUnit, _ seed: UInt64) {
    let range = (positions ?? 0..<contents.items.count).clamped(to: 0..<contents.items.count)
    guard range.count > 1 else { return }
    edit(unit == .tracks ? "shuffle" : "shuffle by album") { queue in
      var random = QueueRandom(seed: seed)
      var entries = queue.contents.items.only([range]).elements
      if unit == .tracks {
        random.shuffle(&entries)
      } else {
        var groups: [[QueueEntry]] = []
        var numbers: [UInt64: Int] = [:]
        queue.items.visit(range) { entry, tracks in
          let album = tracks.album(Int(entry.index))
          if let number = numbers[album] {
            groups[number].append(entry)
          } else {
            numbers[album] = groups.count
            groups.append([entry])
          }
        }
        random.shuffle(&groups)
        entries = Array(groups.joined())
      }
      queue.contents.items = queue.contents.items.replacing(range, with: entries)
      queue.followPositions()
    }
  }

  mutating func sort(_ positions: Range<Int>?, _ key: QueueSortKey, _ descending: Bool) {
    let range = (positions ?? 0..<contents.items.count).clamped(to: 0..<contents.items.count)
    guard range.count > 1 else { return }
    edit("sort by \(key.rawValue)\(descending ? ", descending" : "")") { queue in
      var keys = QueueSortKeys()
      var entries: [QueueEntry] = []
      entries.reserveCapacity(range.count)
      queue.items.visit(range) { entry, tracks in
        entries.append(entry)
        keys.append(key, of: tracks, Int(entry.index))
      }
      let sorted = keys.sorted(descending: descending).map { entries[$0] }
      guard sorted != entries else { return }
      queue.contents.items = queue.contents.items.replacing(range, with: sorted)
      queue.followPositions()
    }
  }

  mutating func dedupe() {
    var places: [[UInt8]: Int] = [:]
    var removed: [Int] = []
    var position = 0
    items.visit(0..<contents.items.count) { entry, tracks in
      var key = tracks.pathBytes(Int(entry.index))
      if let segment = tracks.field(.segment, Int(entry.index), { $0.segment() }) ?? nil {
        key.append(0)
        var writer = ByteWriter()
        writer.append(segment)
        key += writer.bytes
      }
      if let first = places[key] {
        if position == currentPosition {
          removed.append(first)
          places[key] = position
        } else {
          removed.append(position)
        }
      } else {
        places[key] = position
      }
      position += 1
    }
    edit(Self.name("dedupe", "", removed.count)) { $0.remove(removed.sorted().ranges) }
  }
}
