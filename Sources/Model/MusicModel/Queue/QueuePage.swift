// SPDX-License-Identifier: GPL-3.0-or-later

/// An immutable part of a queue. Pages that an edit does not change are shared by the queues before and after the edit.
///
/// Pages are distinguished by identity, so a repository can store each page only once.
public final class QueuePage: Sendable {
  enum Kind: Sendable, Equatable {
    /// Items, in the order of their positions.
    case items
    /// Item IDs, in a playing order of this mode.
    case order(QueueModes.Random)
    case tracks
    /// Data that cannot be decoded.
    case damaged
  }

  /// The maximum number of items or IDs in a page.
  static let capacity = 512

  let kind: Kind
  /// The items; empty unless this is a page of items.
  let entries: [QueueEntry]
  /// The item IDs; empty unless this is a page of a playing order.
  let ids: [UInt64]
  /// The tracks; `nil` unless this is a page of tracks.
  let tracks: PackedTracks?
  /// The lowest and the highest item ID. On a page without IDs, `low` exceeds `high`.
  let bounds: (low: UInt64, high: UInt64)
  /// The lowest and the highest number of a page of tracks that the items refer to. On a page without items, `low`
  /// exceeds `high`.
  let tracksBounds: (low: UInt32, high: UInt32)
  /// Whether any item on the page was queued to play next, is missing, or has a priority.
  let marks: (next: Bool, missing: Bool, priority: Bool)
  private let damaged: [UInt8]

  /// Creates a page from its stored `bytes`.
  ///
  /// If the bytes are damaged, the page is created, but no queue accepts it.
  public init(bytes: [UInt8]) {
    let contents = QueuePage.read(bytes)
    (kind, entries, ids, tracks) = contents
    bounds = kind == .items ? Self.bounds(entries) : Self.bounds(ids)
    (marks, tracksBounds) = Self.summary(entries)
    damaged = kind == .damaged ? bytes : []
  }

  init(_ entries: [QueueEntry]) {
    (kind, self.entries, ids, tracks, damaged) = (.items, entries, [], nil, [])
    bounds = Self.bounds(entries)
    (marks, tracksBounds) = Self.summary(entries)
  }

  init(_ ids: [UInt64], _ random: QueueModes.Random) {
    (kind, entries, self.ids, tracks, damaged) = (.order(random), [], ids, nil, [])
    bounds = Self.bounds(ids)
    (marks, tracksBounds) = Self.summary([])
  }

  /// The bytes of the page, as they are stored. Unless this is a page of tracks, they are encoded on each access.
  public var bytes: [UInt8] {
    switch kind {
    case .items: Self.write(entries)
    case .order(let random): Self.write(ids, random)
    case .tracks: tracks?.bytes ?? []
    case .damaged: damaged
    }
  }

  /// Returns a page whose tracks are those of this page, as `change` returns them; `nil` if they are the same, if this
  /// is not a page of tracks, or if they are too large for a page.
  public func changingTracks(_ change: (Track) -> Track) -> QueuePage? {
    guard let tracks else { return nil }
    let old = (0..<tracks.count).map { tracks.track($0) }
    let new = old.map(change)
    guard new != old else { return nil }
    var packer = TrackPacker()
    for track in new { guard packer.append(track) else { return nil } }
    return QueuePage(bytes: packer.finish())
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
  ) -> (marks: (next: Bool, missing: Bool, priority: Bool), tracksBounds: (low: UInt32, high: UInt32)) {
    var (next, missing, priority) = (false, false, UInt8(0))
    var (low, high) = (UInt32.max, UInt32.min)
    for entry in entries {
      low = Swift.min(low, entry.page)
      high = Swift.max(high, entry.page)
      next = next || entry.isNext
      missing = missing || entry.isMissing
      priority |= entry.priority
    }
    return ((next, missing, priority > 0), (low, high))
  }
}

extension QueuePage {
  private static let itemsMark: UInt8 = 0x49
  private static let orderMarks: [UInt8: QueueModes.Random] = [0x4F: .tracks, 0x41: .albums, 0x53: .spread]

  /// Encodes items: a type byte, the number of items, and the items. Each item consists of the difference between its
  /// ID and the previous one; a byte of flags; the difference of its track's page number, if it changed; the index on
  /// that page; and, unless both are zero, its marks and its priority.
  static func write(_ entries: [QueueEntry]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(byte: itemsMark)
    writer.append(count: entries.count)
    var (id, page) = (UInt64(0), UInt32(0))
    for entry in entries {
      writer.append(Int64(bitPattern: entry.id &- id))
      let flags: UInt8 = (entry.isNext ? 1 : 0) | (entry.isMissing ? 2 : 0) | (entry.isRefill ? 4 : 0)
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

  /// Encodes item IDs: a type byte, the number of IDs, and the difference between each ID and the previous one.
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

  /// Decodes the bytes of a page. The kind is `damaged` if they are invalid.
  static func read(
    _ bytes: [UInt8]
  ) -> (kind: Kind, entries: [QueueEntry], ids: [UInt64], tracks: PackedTracks?) {
    let invalid: (Kind, [QueueEntry], [UInt64], PackedTracks?) = (.damaged, [], [], nil)
    var reader = ByteReader(bytes)
    let mark = reader.byte()
    if mark == TrackPacker.mark {
      return PackedTracks(bytes).map { (.tracks, [], [], $0) } ?? invalid
    }
    let count = reader.count()
    guard !reader.isDamaged, count > 0 else { return invalid }
    if let random = orderMarks[mark] {
      var (ids, last) = ([UInt64](), UInt64(0))
      ids.reserveCapacity(count)
      for _ in 0..<count {
        last = last &+ UInt64(bitPattern: reader.signed())
        ids.append(last)
      }
      return reader.isDamaged || !reader.isAtEnd ? invalid : (.order(random), [], ids, nil)
    }
    guard mark == itemsMark, let entries = entries(count, &reader) else { return invalid }
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
        (entry.isNext, entry.isMissing, entry.isRefill) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
        entry.priority = reader.byte()
      }
      guard tag < 4, !reader.isDamaged else { return nil }
      entries.append(entry)
    }
    return reader.isAtEnd ? entries : nil
  }
}

/// An item in compact form, as stored on a page.
struct QueueEntry: Sendable, Hashable {
  var id: UInt64
  /// The number of the page of tracks that contains the item's track.
  var page: UInt32
  /// The index of the item's track on that page.
  var index: UInt8
  /// The priority. In random order, items of a higher priority are played first.
  var priority: UInt8 = 0
  /// Whether the item was queued to play next, right after the current item.
  var isNext = false
  /// Whether the item's file was missing when it was last checked.
  var isMissing = false
  /// Whether the item was added because of ``QueueModes/keepPlaying``.
  var isRefill = false
}

/// An element of a page: a queue entry, or the ID of an item in playing order.
protocol QueuePageElement: Sendable, Equatable {
  var id: UInt64 { get }
  static func elements(of page: QueuePage) -> [Self]
}

extension QueueEntry: QueuePageElement {
  static func elements(of page: QueuePage) -> [QueueEntry] { page.entries }
}

extension UInt64: QueuePageElement {
  var id: UInt64 { self }
  static func elements(of page: QueuePage) -> [UInt64] { page.ids }
}
