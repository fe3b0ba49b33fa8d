extension QueuePage {
  private static let itemsMark: UInt8 = 0x49
  private static let orderMarks: [UInt8: QueueModes.Random] = [0x4F: .tracks, 0x41: .albums]

  /// A mark and the number of items; of each, how much higher its id is than that before, the page of its track (the
  /// same as before: 0, else 1 and how much higher), the index there, the priority and the marks (both 0: one byte).
  static func write(_ entries: [QueueEntry]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(byte: itemsMark)
    writer.append(count: entries.count)
    var (id, page) = (UInt64(0), UInt32(0))
    for entry in entries {
      writer.append(Int64(bitPattern: entry.id &- id))
      let flags: UInt8 = (entry.isNext ? 1 : 0) | (entry.isGone ? 2 : 0)
      let isPlain = flags == 0 && entry.priority == 0
      writer.append(byte: (entry.page == page ? 0 : 1) | (isPlain ? 0 : 2))
      if entry.page != page { writer.append(Int64(entry.page) - Int64(page)) }
      writer.append(byte: entry.index)
      if !isPlain {
        writer.append(byte: flags)
        writer.append(byte: entry.priority)
      }
      (id, page) = (entry.id, entry.page)
    }
    return writer.bytes
  }

  /// A mark and the number of ids; of each, how much higher it is than that before.
  static func write(_ ids: [UInt64], _ random: QueueModes.Random) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(byte: orderMarks.first { $0.value == random }?.key ?? 0)
    writer.append(count: ids.count)
    var last: UInt64 = 0
    for id in ids {
      writer.append(Int64(bitPattern: id &- last))
      last = id
    }
    return writer.bytes
  }

  /// What a page of these bytes holds.
  static func read(
    _ bytes: [UInt8]
  ) -> (kind: Kind, entries: [QueueEntry], ids: [UInt64], tracks: PackedTracks?) {
    let nothing: (Kind, [QueueEntry], [UInt64], PackedTracks?) = (.damaged, [], [], nil)
    var reader = ByteReader(bytes)
    let mark = reader.byte()
    if mark == TrackPacker.mark {
      return PackedTracks(bytes).map { (.tracks, [], [], $0) } ?? nothing
    }
    let count = reader.count()
    guard !reader.isDamaged, count > 0 else { return nothing }
    if let random = orderMarks[mark] {
      var (ids, last) = ([UInt64](), UInt64(0))
      ids.reserveCapacity(count)
      for _ in 0..<count {
        last = last &+ UInt64(bitPattern: reader.signed())
        ids.append(last)
      }
      return reader.isDamaged || !reader.isAtEnd ? nothing : (.order(random), [], ids, nil)
    }
    guard mark == itemsMark, let entries = entries(count, &reader) else { return nothing }
    return (.items, entries, [], nil)
  }

  private static func entries(_ count: Int, _ reader: inout ByteReader) -> [QueueEntry]? {
    var entries: [QueueEntry] = []
    entries.reserveCapacity(count)
    var (id, page) = (UInt64(0), UInt32(0))
    for _ in 0..<count {
      id = id &+ UInt64(bitPattern: reader.signed())
      let tag = reader.byte()
      if tag & 1 != 0 {
        let (sum, overflows) = Int64(page).addingReportingOverflow(reader.signed())
        guard !overflows, let next = UInt32(exactly: sum) else { return nil }
        page = next
      }
      var entry = QueueEntry(id: id, page: page, index: reader.byte())
      if tag & 2 != 0 {
        let flags = reader.byte()
        (entry.isNext, entry.isGone) = (flags & 1 != 0, flags & 2 != 0)
        entry.priority = reader.byte()
      }
      guard tag < 4, !reader.isDamaged else { return nil }
      entries.append(entry)
    }
    return reader.isAtEnd ? entries : nil
  }
}
