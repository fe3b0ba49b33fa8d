// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB

/// A snapshot of a large library, taken at the end of a scan, with the list of tracks that have changed since.
///
/// Reading a million tracks in order takes a few milliseconds from a snapshot, and a hundred from an index of the
/// tables.
final class LibrarySnapshot {
  /// The tracks for which the snapshot's arrays are out of date.
  let patches: TrackSet

  private let library: Int64
  private let parts: IndexStatement
  private let partCounting: IndexStatement

  /// Opens the snapshot of `library`, or returns `nil` if there is none.
  init?(_ database: Database, library: Int64) throws {
    self.library = library
    let exists = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM snapshot WHERE library = ? LIMIT 1"), arguments: [library])
    guard exists != nil else { return nil }
    parts = try IndexStatement(
      database, "SELECT data FROM snapshot WHERE library = ? AND name = ? AND part = ?")
    partCounting = try IndexStatement(database, "SELECT count(*) FROM snapshot WHERE library = ? AND name = ?")
    let changed = try IndexStatement(database, "SELECT track FROM snapshot_patch WHERE library = ?")
    changed.bind(library)
    var patches = TrackSet()
    while try changed.step() { patches.insert(changed.integer(0)) }
    self.patches = patches
  }

  /// Returns the number of parts of the array with this name.
  func partCount(_ name: String) throws -> Int {
    partCounting.bind(library)
    partCounting.bind(name)
    defer { partCounting.reset() }
    return try partCounting.step() ? Int(partCounting.integer(0)) : 0
  }

  /// Returns the numbers in one part of an array, or an empty array if there is no such part.
  func numbers(_ name: String, part: Int) throws -> [UInt32] {
    try unsafe withPart(name, part) { bytes in
      unsafe [UInt32](unsafeUninitializedCapacity: bytes.count / 4) { target, count in
        unsafe UnsafeMutableRawBufferPointer(target).copyBytes(from: bytes.prefix(bytes.count & ~3))
        count = bytes.count / 4
      }
    } ?? []
  }

  /// Returns the text stored under a name, or an empty string if there is none.
  func text(_ name: String) throws -> String {
    try unsafe withPart(name, 0) { unsafe String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Returns the set of tracks stored under a name, or `nil` if there is none.
  func tracks(_ name: String) throws -> TrackSet? {
    try unsafe withPart(name, 0) { bytes in
      TrackSet(
        words: (0..<bytes.count / 8).map {
          unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)
        })
    }
  }

  /// Returns the tracks with a value in `range` in this column.
  func tracks(_ column: SnapshotColumn, in range: ClosedRange<UInt32>) throws -> TrackSet {
    let lower = range.lowerBound
    // The largest number stands for a missing value.
    guard lower < SnapshotColumn.null else { return TrackSet() }
    let width = min(range.upperBound, SnapshotColumn.null - 1) - lower
    return try tracks(column) { ($0 &- lower) <= width }
  }

  /// Returns the tracks with a value that satisfies `matches` in this column.
  func tracks(_ column: SnapshotColumn, where matches: (UInt32) -> Bool) throws -> TrackSet {
    var words: [UInt64] = []
    for part in 0..<(try partCount(column.rawValue)) {
      try unsafe withPart(column.rawValue, part) { bytes in
        let count = bytes.count / 4
        for start in stride(from: 0, to: count, by: 64) {
          var word: UInt64 = 0
          for bit in 0..<min(64, count - start) {
            let value = unsafe bytes.loadUnaligned(fromByteOffset: 4 * (start + bit), as: UInt32.self)
            word |= (matches(value) ? 1 : 0) << UInt64(bit)
          }
          words.append(word)
        }
      }
    }
    return TrackSet(words: words)
  }

  private func withPart<Value>(
    _ name: String, _ part: Int, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws -> Value? {
    parts.bind(library)
    parts.bind(name)
    parts.bind(part)
    defer { parts.reset() }
    return try parts.step() ? unsafe parts.withBytes(0) { unsafe body($0) } : nil
  }
}

/// An iteration over a snapshot's tracks, or groups of tracks, in a listing order.
struct SnapshotTraversal {
  /// The way to continue an iteration: with the next track, with the next group, or not at all.
  enum Continuation { case track, group, end }

  private let orders: [SnapshotArray]
  private let isDescending: Bool
  private let groups: SnapshotGroups?

  /// Creates an iteration over `snapshot` in the given order.
  init(_ snapshot: LibrarySnapshot, _ order: ListingOrder) {
    let listsAlbums = !order.albumSegments.isEmpty
    isDescending = order.isDescending
    groups = listsAlbums ? SnapshotGroups(snapshot, SnapshotName.groups("album")) : nil
    orders = (listsAlbums ? order.albumSegments : order.segments).indices.map {
      SnapshotArray(snapshot, SnapshotName.order(order.name, segment: $0))
    }
  }

  /// Calls `body` with each track in this order that is in `wanted`, and with its album if albums are listed. What
  /// `body` returns can skip the rest of an album, or end the iteration.
  func forEach(in wanted: CandidateSet, _ body: (_ track: Int64, _ album: Int64) throws -> Continuation) throws {
    for order in orders {
      if try !forEach(of: order, in: wanted, body) { return }
    }
  }

  private func forEach(
    of order: SnapshotArray, in wanted: CandidateSet, _ body: (Int64, Int64) throws -> Continuation
  ) throws -> Bool {
    var order = order
    var groups = groups
    let count = isDescending ? try order.count : .max
    for index in 0..<count {
      guard let number = try order.value(at: isDescending ? count - 1 - index : index) else { break }
      if groups != nil {
        if try groups?.forEach(at: Int(number), in: wanted, body) == false { return false }
      } else if wanted.contains(Int64(number)), try body(Int64(number), 0) == .end {
        return false
      }
    }
    return true
  }
}

/// Groups of tracks in a snapshot: albums, artists or genres in order, each with its tracks.
struct SnapshotGroups {
  private var ids: SnapshotArray
  private var ends: SnapshotArray
  private var tracks: SnapshotArray

  /// Opens the arrays with these names; see ``SnapshotName/groups(_:)``.
  init(_ snapshot: LibrarySnapshot, _ names: (ids: String, ends: String, tracks: String)) {
    ids = SnapshotArray(snapshot, names.ids)
    ends = SnapshotArray(snapshot, names.ends)
    tracks = SnapshotArray(snapshot, names.tracks)
  }

  /// Calls `body` with the tracks of the group at `index` that are in `wanted`.
  ///
  /// - Returns: `false` if there is no such group, or if `body` ends the iteration.
  mutating func forEach(
    at index: Int, in wanted: CandidateSet,
    _ body: (_ track: Int64, _ group: Int64) throws -> SnapshotTraversal.Continuation
  ) throws -> Bool {
    guard let end = try ends.value(at: index) else { return false }
    var position = index == 0 ? 0 : Int(try ends.value(at: index - 1) ?? 0)
    while position < end, let track = try tracks.value(at: position) {
      position += 1
      guard wanted.contains(Int64(track)), let id = try ids.value(at: index) else { continue }
      switch try body(Int64(track), Int64(id)) {
      case .end: return false
      case .group: return true
      case .track: break
      }
    }
    return true
  }
}

/// An array of a snapshot. Its parts are loaded when needed, and then stay in memory.
struct SnapshotArray {
  private let snapshot: LibrarySnapshot
  private let name: String
  private var parts: [[UInt32]] = []
  /// The index of the first number in `values`, which is the part that was read last.
  private var start = 0
  private var values: [UInt32] = []

  init(_ snapshot: LibrarySnapshot, _ name: String) {
    self.snapshot = snapshot
    self.name = name
  }

  /// The number of elements.
  var count: Int {
    get throws {
      let last = try snapshot.partCount(name) - 1
      return last < 0
        ? 0 : last * SnapshotTables.partSize + (try snapshot.numbers(name, part: last)).count
    }
  }

  /// Returns the number at an index, or `nil` if the index is beyond the end.
  mutating func value(at index: Int) throws -> UInt32? {
    if !values.indices.contains(index - start) { try load(index / SnapshotTables.partSize) }
    return values.indices.contains(index - start) ? values[index - start] : nil
  }

  private mutating func load(_ part: Int) throws {
    while parts.count <= part { parts.append([]) }
    if parts[part].isEmpty { parts[part] = try snapshot.numbers(name, part: part) }
    values = parts[part]
    start = part * SnapshotTables.partSize
  }
}
