// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys by which queue items are compared, as bytes in one contiguous array. Each key is created only once.
struct QueueKeys {
  /// An item while it is being sorted.
  private struct Row: Comparable {
    /// Several bytes of the key, or its hash.
    var value: UInt64
    /// The index of the item.
    let item: Int

    static func < (left: Row, right: Row) -> Bool {
      left.value == right.value ? left.item < right.item : left.value < right.value
    }
  }

  private var bytes: [UInt8] = []
  /// The range of each item's key in `bytes`.
  private var spans: [Range<Int>]

  /// Creates the keys of the items in `ranges`. The closure `append` appends the key of an item to the bytes.
  init(
    _ items: PlayQueue.Items, _ ranges: [Range<Int>],
    _ append: (inout [UInt8], PackedTracks, QueueEntry) -> Void
  ) {
    spans = [Range<Int>](repeating: 0..<0, count: ranges.totalCount)
    Self.visit(items, ranges) { item, tracks, entry in
      let start = bytes.count
      append(&bytes, tracks, entry)
      spans[item] = start..<bytes.count
    }
  }

  /// Calls `body` with each item in `ranges`, and its index among them, in the order of the pages of tracks, not of the
  /// positions, so that each page is looked up only once.
  static func visit(
    _ items: PlayQueue.Items, _ ranges: [Range<Int>], _ body: (_ item: Int, PackedTracks, QueueEntry) -> Void
  ) {
    let entries = items.list.only(ranges).elements
    var last: (page: UInt32, tracks: PackedTracks)?
    for row in entries.indices.map({ Row(value: UInt64(entries[$0].page), item: $0) }).sorted() {
      let entry = entries[row.item]
      let tracks = if let last, last.page == entry.page { last.tracks } else { items.tracks(entry) }
      if last?.page != entry.page { last = (entry.page, tracks) }
      body(row.item, tracks, entry)
    }
  }

  /// Returns the indexes of the items sorted by key, in ascending or descending order; items with equal keys keep their
  /// order.
  func sorted(descending: Bool) -> [Int] {
    var rows = spans.indices.map { Row(value: 0, item: $0) }
    // Sort by the first bytes, then sort those that are equal by the next bytes.
    var pending = [(range: rows.indices, offset: 0)]
    let flip = descending ? UInt64.max : 0
    while let (range, offset) = pending.popLast() {
      for index in range { rows[index].value = piece(rows[index].item, offset) ^ flip }
      rows.withUnsafeMutableBufferPointer {
        var part = UnsafeMutableBufferPointer(rebasing: $0[range])
        part.sort()
      }
      for run in Self.runs(rows, range) where (rows[run.lowerBound].value ^ flip) & 0xFF > Self.pieceLength {
        pending.append((run, offset + Int(Self.pieceLength)))
      }
    }
    return rows.map(\.item)
  }

  /// Returns the indexes of items that share a key, as one ascending list for each key that occurs more than once.
  func repeated() -> [[Int]] {
    let rows = spans.indices.map { Row(value: hash($0), item: $0) }.sorted()
    var repeated: [[Int]] = []
    for run in Self.runs(rows, rows.indices) {
      // There is more than one list only if different keys have the same hash.
      var equal: [[Int]] = []
      for row in rows[run] {
        let index = equal.firstIndex { isSame($0.first ?? row.item, row.item) }
        if let index { equal[index].append(row.item) } else { equal.append([row.item]) }
      }
      repeated += equal.filter { $0.count > 1 }
    }
    return repeated
  }

  private static let pieceLength: UInt64 = 7

  /// Returns seven bytes of a key from `offset` on, followed by the number of bytes left (at most 8). If the seven
  /// bytes of two keys are equal, the shorter key comes first.
  private func piece(_ item: Int, _ offset: Int) -> UInt64 {
    let start = spans[item].lowerBound + offset
    let left = spans[item].upperBound - start
    var value: UInt64 = 0
    for step in 0..<Int(Self.pieceLength) {
      value = value << 8 | (step < left ? UInt64(bytes[start + step]) : 0)
    }
    return value << 8 | min(UInt64(max(0, left)), Self.pieceLength + 1)
  }

  /// Returns the ranges of two or more consecutive rows with the same value.
  private static func runs(_ rows: [Row], _ range: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = range.lowerBound
    for index in range.dropFirst() where rows[index].value != rows[start].value {
      if index - start > 1 { runs.append(start..<index) }
      start = index
    }
    if range.upperBound - start > 1 { runs.append(start..<range.upperBound) }
    return runs
  }

  private func hash(_ item: Int) -> UInt64 {
    var hash = StableHash()
    for index in spans[item] { hash.combine(byte: bytes[index]) }
    return hash.value
  }

  private func isSame(_ one: Int, _ other: Int) -> Bool {
    spans[one].count == spans[other].count && bytes[spans[one]] == bytes[spans[other]]
  }
}

/// Encodes sort keys as bytes. Case is ignored, and unknown values are sorted last.
struct QueueSortKeyWriter {
  private let key: QueueSortKey
  /// The fields of the key that the tracks of an album usually share, as a bit mask.
  private let sharedFields: UInt64
  /// The key bytes that were last created from shared fields, and the base track that they belong to.
  private var shared: (page: UInt32, base: Int, bytes: [UInt8])?
  /// The sort names that the tracks state, by name of the artist. If they state several for an artist, the first one in
  /// alphabetical order counts.
  private var sortNames: [String: String] = [:]

  /// Creates a writer of the keys of the items in `ranges`.
  init(_ key: QueueSortKey, of items: PlayQueue.Items, in ranges: [Range<Int>]) {
    self.key = key
    let fields: [TrackField] =
      switch key {
      case .artist: [.artists, .albumArtists, .sortNames]
      case .album: [.artists, .albumArtists, .album, .disc, .additionalAlbumTags, .date, .sortNames]
      case .date: [.date]
      case .title, .duration, .path: []
      }
    sharedFields = fields.reduce(0) { $0 | $1.bit }
    guard key == .artist || key == .album else { return }
    var last: (page: UInt32, base: Int)?
    QueueKeys.visit(items, ranges) { _, tracks, entry in
      let index = Int(entry.index)
      if tracks.isLikeBase(index, in: sharedFields) {
        let base = tracks.base(index)
        if let last, last == (entry.page, base) { return }
        last = (entry.page, base)
      }
      if tracks.field(.sortNames, index, { $0.sortNames() }) != nil { collectSortNames(of: tracks.track(index)) }
    }
  }

  /// Collects the sort names that a track states. They count for all tracks of the artists.
  private mutating func collectSortNames(of track: Track) {
    for (artists, sortName) in [
      (track.artists, track.sortNames.artist), (Self.albumArtists(of: track), track.sortNames.albumArtist),
    ] {
      guard let sortName, !artists.isEmpty else { continue }
      let name = Self.name(of: artists).lowercased()
      sortNames[name] = min(sortNames[name] ?? sortName, sortName)
    }
  }

  private static func albumArtists(of track: Track) -> [String] {
    track.albumArtists.isEmpty ? track.artists : track.albumArtists
  }

  private static func name(of artists: [String]) -> String { artists.joined(separator: ", ") }

  /// Returns the name by which artists are sorted.
  private func sortName(of artists: [String], stated: String?) -> String {
    let name = Self.name(of: artists)
    return (sortNames.isEmpty ? nil : sortNames[name.lowercased()]) ?? stated ?? name
  }

  /// Appends the sort key of `entry` to `bytes`. Its track is on the page `tracks`.
  mutating func append(to bytes: inout [UInt8], _ tracks: PackedTracks, _ entry: QueueEntry) {
    let index = Int(entry.index)
    switch key {
    case .title: bytes.append(text: title(tracks, index))
    case .duration: bytes.append(duration: tracks.duration(index))
    case .path: tracks.appendPath(index, to: &bytes)
    case .artist, .date: appendShared(to: &bytes, tracks, entry)
    case .album:
      appendShared(to: &bytes, tracks, entry)
      bytes.append(number: Int64(tracks.field(.number, index) { $0.ordinal() }??.number ?? .max))
    }
  }

  private func title(_ tracks: PackedTracks, _ index: Int) -> String {
    tracks.field(.sortNames, index) { $0.sortNames() }?.title ?? tracks.field(.title, index) { $0.text() }
      ?? ""
  }

  private mutating func appendShared(to bytes: inout [UInt8], _ tracks: PackedTracks, _ entry: QueueEntry) {
    let index = Int(entry.index)
    guard tracks.isLikeBase(index, in: sharedFields) else {
      return append(to: &bytes, tracks.track(index))
    }
    let base = tracks.base(index)
    if let shared, shared.page == entry.page, shared.base == base {
      bytes += shared.bytes
    } else {
      let start = bytes.count
      append(to: &bytes, tracks.track(base))
      shared = (entry.page, base, Array(bytes[start...]))
    }
  }

  private func append(to bytes: inout [UInt8], _ track: Track) {
    switch key {
    case .artist: bytes.append(name: sortName(of: track.artists, stated: track.sortNames.artist))
    case .date: bytes.append(date: track.date)
    case .album:
      bytes.append(name: sortName(of: Self.albumArtists(of: track), stated: track.sortNames.albumArtist))
      bytes.append(date: track.date)
      bytes.append(text: track.sortNames.album ?? track.album)
      bytes.append(number: Int64(track.disc?.number ?? 1))
      // Only its title may tell a disc apart. One without a title is first.
      bytes.append(text: track.disc == nil ? track.additionalTags.first(.discSubtitle) ?? "" : "")
    case .title, .duration, .path: break
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(text: String?) {
    guard var text else { return append(0xFF) }
    append(1)
    let isPlain = text.withUTF8 { bytes in
      for byte in bytes { append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte) }
      return bytes.allSatisfy { $0 < 0x80 }
    }
    if !isPlain {
      removeLast(text.utf8.count)
      append(contentsOf: text.lowercased().utf8)
    }
    append(0)
  }

  fileprivate mutating func append(name: String) { append(text: name.isEmpty ? nil : name) }

  fileprivate mutating func append(date: ReleaseDate?) {
    guard let date else { return append(0xFF) }
    append(1)
    append(number: Int64(date.year))
    append(number: Int64(date.month ?? 0))
    append(number: Int64(date.day ?? 0))
  }

  fileprivate mutating func append(duration: Duration?) {
    guard let components = duration?.components else { return append(0xFF) }
    append(1)
    append(number: components.seconds)
    append(number: components.attoseconds)
  }

  fileprivate mutating func append(number: Int64) {
    let value = UInt64(bitPattern: number) ^ (1 << 63)
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}
