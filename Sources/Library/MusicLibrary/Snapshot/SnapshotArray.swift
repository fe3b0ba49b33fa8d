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
