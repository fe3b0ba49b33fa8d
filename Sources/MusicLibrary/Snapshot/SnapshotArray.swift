/// An array of a snapshot, of which the part that is asked for is in memory.
struct SnapshotArray {
  private let snapshot: LibrarySnapshot
  private let name: String
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
    if !values.indices.contains(index - start) {
      let part = index / SnapshotTables.partSize
      values = try snapshot.numbers(name, part: part)
      start = part * SnapshotTables.partSize
    }
    return values.indices.contains(index - start) ? values[index - start] : nil
  }
}
