import GRDB

/// What a great library was when a scan of it had ended, and which of its tracks have changed since.
///
/// Going along an order of a million tracks takes some milliseconds here, and a hundred along an index of the tables.
final class LibrarySnapshot {
  /// The tracks of which the arrays are wrong by now.
  let patches: TrackSet

  private let library: Int64
  private let parts: IndexStatement
  private let counting: IndexStatement

  /// `nil` where there is none.
  init?(_ database: Database, library: Int64) throws {
    self.library = library
    let exists = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM snapshot WHERE library = ? LIMIT 1"), arguments: [library])
    guard exists != nil else { return nil }
    parts = try IndexStatement(
      database, "SELECT data FROM snapshot WHERE library = ? AND name = ? AND part = ?")
    counting = try IndexStatement(database, "SELECT count(*) FROM snapshot WHERE library = ? AND name = ?")
    let changed = try IndexStatement(database, "SELECT track FROM snapshot_patch WHERE library = ?")
    changed.bind(library)
    var patches = TrackSet()
    while try changed.step() { patches.insert(changed.integer(0)) }
    self.patches = patches
  }

  /// How many parts there are under a name.
  func partCount(_ name: String) throws -> Int {
    counting.bind(library)
    counting.bind(name)
    defer { counting.reset() }
    return try counting.step() ? Int(counting.integer(0)) : 0
  }

  /// The numbers of one part of an array; empty where there is none.
  func numbers(_ name: String, part: Int) throws -> [UInt32] {
    try unsafe withPart(name, part) { bytes in
      unsafe [UInt32](unsafeUninitializedCapacity: bytes.count / 4) { target, count in
        unsafe UnsafeMutableRawBufferPointer(target).copyBytes(from: bytes.prefix(bytes.count & ~3))
        count = bytes.count / 4
      }
    } ?? []
  }

  /// The text under a name.
  func text(_ name: String) throws -> String {
    try unsafe withPart(name, 0) { unsafe String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The tracks that are kept under a name; `nil` where there are none.
  func tracks(_ name: String) throws -> TrackSet? {
    try unsafe withPart(name, 0) { bytes in
      TrackSet(
        words: (0..<bytes.count / 8).map {
          unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)
        })
    }
  }

  /// The tracks whose number in a column is in `range`.
  func tracks(_ column: SnapshotColumn, in range: ClosedRange<UInt32>) throws -> TrackSet {
    let lower = range.lowerBound
    // The last number stands for none.
    guard lower < SnapshotColumn.null else { return TrackSet() }
    let width = min(range.upperBound, SnapshotColumn.null - 1) - lower
    return try tracks(column) { ($0 &- lower) <= width }
  }

  /// The tracks of whose number in a column `matches` is true.
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

/// An order of tracks, or of groups of them, as a snapshot holds it.
struct SnapshotWalk {
  /// What is to come next.
  enum Next { case track, group, end }

  private let orders: [SnapshotArray]
  private let isDescending: Bool
  private let groups: SnapshotGroups?

  /// The order that `order` gives, of what the snapshot holds.
  init(_ snapshot: LibrarySnapshot, _ order: ListingOrder) {
    let isOfAlbums = !order.albumSegments.isEmpty
    isDescending = order.isDescending
    groups = isOfAlbums ? SnapshotGroups(snapshot, SnapshotName.groups("album")) : nil
    orders = (isOfAlbums ? order.albumSegments : order.segments).indices.map {
      SnapshotArray(snapshot, SnapshotName.order(order.name, segment: $0))
    }
  }

  /// Gives the tracks in this order that are in `wanted`, each with its album where the order is one of albums, until
  /// `body` says that it has enough of them, or of the rest of an album.
  func forEach(in wanted: Narrowing, _ body: (_ track: Int64, _ album: Int64) throws -> Next) throws {
    for order in orders {
      if try !forEach(of: order, in: wanted, body) { return }
    }
  }

  private func forEach(
    of order: SnapshotArray, in wanted: Narrowing, _ body: (Int64, Int64) throws -> Next
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

/// Groups of tracks as a snapshot holds them: albums, artists or genres, in their order, each with its tracks.
struct SnapshotGroups {
  private var ids: SnapshotArray
  private var ends: SnapshotArray
  private var tracks: SnapshotArray

  /// Those of ``SnapshotName/groups(_:)``.
  init(_ snapshot: LibrarySnapshot, _ names: (ids: String, ends: String, tracks: String)) {
    ids = SnapshotArray(snapshot, names.ids)
    ends = SnapshotArray(snapshot, names.ends)
    tracks = SnapshotArray(snapshot, names.tracks)
  }

  /// Gives the tracks of the group at a place that are in `wanted`; `false` where there is no such place, or `body` has
  /// enough.
  mutating func forEach(
    at place: Int, in wanted: Narrowing, _ body: (_ track: Int64, _ group: Int64) throws -> SnapshotWalk.Next
  ) throws -> Bool {
    guard let end = try ends.value(at: place) else { return false }
    var position = place == 0 ? 0 : Int(try ends.value(at: place - 1) ?? 0)
    while position < end, let track = try tracks.value(at: position) {
      position += 1
      guard wanted.contains(Int64(track)), let id = try ids.value(at: place) else { continue }
      switch try body(Int64(track), Int64(id)) {
      case .end: return false
      case .group: return true
      case .track: break
      }
    }
    return true
  }
}

/// An array of a snapshot; the parts that are asked for stay in memory.
struct SnapshotArray {
  private let snapshot: LibrarySnapshot
  private let name: String
  private var parts: [[UInt32]] = []
  /// The part that was asked for last.
  private var start = 0
  private var values: [UInt32] = []

  init(_ snapshot: LibrarySnapshot, _ name: String) {
    self.snapshot = snapshot
    self.name = name
  }

  /// How many numbers it has.
  var count: Int {
    get throws {
      let last = try snapshot.partCount(name) - 1
      return last < 0
        ? 0 : last * SnapshotTables.partSize + (try snapshot.numbers(name, part: last)).count
    }
  }

  /// The number at an index from 0 on; `nil` behind the last.
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
