/// A piece of a queue that never changes: what an edit leaves alone is shared by the queue before and the queue after
/// it.
///
/// Whoever keeps queues writes each page once: pages are told apart by identity.
public final class QueuePage: Sendable {
  /// What pages hold.
  enum Kind: Sendable, Equatable {
    /// Items by position.
    case items
    /// Ids in the playing order of this mode.
    case order(QueueModes.Random)
    /// Tracks.
    case tracks
    /// Nothing that makes sense.
    case damaged
  }

  /// How many items or ids a page holds at most.
  static let capacity = 512

  /// What this page holds.
  let kind: Kind
  /// The items of a page of items.
  let entries: [QueueEntry]
  /// The ids of a page of these.
  let ids: [UInt64]
  /// The tracks of a page of tracks.
  let tracks: PackedTracks?
  /// The lowest and the highest number of an item; of a page without any, no number is between them.
  let bounds: (low: UInt64, high: UInt64)
  /// The lowest and the highest number of a page that the tracks of a page of items are on; of a page without any, none
  /// is between them.
  let tracksBounds: (low: UInt32, high: UInt32)
  /// Whether an item is to be played next, is gone, or has a priority.
  let marks: (next: Bool, gone: Bool, priority: Bool)
  private let damaged: [UInt8]

  /// The page that was kept as `bytes`.
  ///
  /// For damaged bytes it is a page that no queue accepts.
  public init(bytes: [UInt8]) {
    let form = QueuePage.read(bytes)
    (kind, entries, ids, tracks) = form
    bounds = kind == .items ? Self.bounds(entries) : Self.bounds(ids)
    (marks, tracksBounds) = Self.summary(entries)
    damaged = kind == .damaged ? bytes : []
  }

  /// A page of these items.
  init(_ entries: [QueueEntry]) {
    (kind, self.entries, ids, tracks, damaged) = (.items, entries, [], nil, [])
    bounds = Self.bounds(entries)
    (marks, tracksBounds) = Self.summary(entries)
  }

  /// A page of these ids.
  init(_ ids: [UInt64], _ random: QueueModes.Random) {
    (kind, entries, self.ids, tracks, damaged) = (.order(random), [], ids, nil, [])
    bounds = Self.bounds(ids)
    (marks, tracksBounds) = Self.summary([])
  }

  /// The page in a form to be kept. It is made anew each time that it is asked for, except that of tracks.
  public var bytes: [UInt8] {
    switch kind {
    case .items: Self.write(entries)
    case .order(let random): Self.write(ids, random)
    case .tracks: tracks?.bytes ?? []
    case .damaged: damaged
    }
  }

  private static func bounds(_ elements: [some QueuePageElement]) -> (low: UInt64, high: UInt64) {
    var (low, high) = (UInt64.max, UInt64.min)
    for element in elements {
      low = Swift.min(low, element.id)
      high = Swift.max(high, element.id)
    }
    return (low, high)
  }

  private static func summary(
    _ entries: [QueueEntry]
  ) -> (marks: (next: Bool, gone: Bool, priority: Bool), tracksBounds: (low: UInt32, high: UInt32)) {
    var (next, gone, priority) = (false, false, UInt8(0))
    var (low, high) = (UInt32.max, UInt32.min)
    for entry in entries {
      low = Swift.min(low, entry.page)
      high = Swift.max(high, entry.page)
      next = next || entry.isNext
      gone = gone || entry.isMissing
      priority |= entry.priority
    }
    return ((next, gone, priority > 0), (low, high))
  }
}

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
      let flags: UInt8 = (entry.isNext ? 1 : 0) | (entry.isMissing ? 2 : 0)
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
        (entry.isNext, entry.isMissing) = (flags & 1 != 0, flags & 2 != 0)
        entry.priority = reader.byte()
      }
      guard tag < 4, !reader.isDamaged else { return nil }
      entries.append(entry)
    }
    return reader.isAtEnd ? entries : nil
  }
}

/// An item as a page of the queue holds it.
struct QueueEntry: Sendable, Hashable {
  /// The item's number.
  var id: UInt64
  /// The number of the page that holds its track.
  var page: UInt32
  /// The index of the track there.
  var index: UInt8
  /// Under random, those of a higher one are played first.
  var priority: UInt8 = 0
  /// Whether it was put right behind the current item, to be played next.
  var isNext = false
  /// Whether its file was gone when it was looked for last.
  var isMissing = false
}

/// What pages can hold in a row: entries by position, or ids in playing order.
protocol QueuePageElement: Sendable, Equatable {
  /// The item's number.
  var id: UInt64 { get }
  /// The elements of a page.
  static func elements(of page: QueuePage) -> [Self]
}

extension QueueEntry: QueuePageElement {
  static func elements(of page: QueuePage) -> [QueueEntry] { page.entries }
}

extension UInt64: QueuePageElement {
  var id: UInt64 { self }
  static func elements(of page: QueuePage) -> [UInt64] { page.ids }
}
