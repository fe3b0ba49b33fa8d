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
