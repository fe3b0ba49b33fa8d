// SPDX-License-Identifier: GPL-3.0-or-later

/// The positions that changed in the latest versions of a queue.
struct QueueChangeLog: Sendable {
  /// The minimum number of changes that are remembered.
  static let capacity = 256

  private var entries: [(version: UInt64, positions: Range<Int>)] = []
  private var oldest: UInt64 = 0

  /// The version of the last change; 0 if there was none.
  var lastVersion: UInt64 { entries.last?.version ?? 0 }

  /// Records that the change to `version` affected these positions.
  mutating func append(_ positions: Range<Int>, version: UInt64) {
    entries.append((version, positions))
    guard entries.count >= 2 * Self.capacity else { return }
    entries.removeFirst(Self.capacity)
    // Another entry of the oldest entry's version may have been removed.
    oldest = entries.first?.version ?? version
  }

  /// Returns the positions below `count` that have changed since `version`, as ascending ranges without overlaps.
  /// Returns all of them if the version is too old.
  func changes(since version: UInt64, count: Int) -> [Range<Int>] {
    guard version >= oldest else { return count == 0 ? [] : [0..<count] }
    let ranges = entries.lazy.filter { $0.version > version }.map { $0.positions.clamped(to: 0..<count) }
    return Array(ranges).merged
  }
}

extension [Range<Int>] {
  /// The ranges merged: in ascending order, without overlaps, and without empty ranges.
  var merged: [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// The number of positions in ranges that do not overlap.
  package var totalCount: Int { reduce(0) { $0 + $1.count } }

  /// Returns the ranges below `count` that are outside these ranges, which must be ascending.
  func gaps(below count: Int) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var start = 0
    for range in self {
      if start < range.lowerBound { gaps.append(start..<range.lowerBound) }
      start = range.upperBound
    }
    if start < count { gaps.append(start..<count) }
    return gaps
  }
}

extension Sequence<Int> {
  /// The ranges of consecutive numbers in this sequence, which must be ascending.
  var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for number in self {
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<(number + 1)
      } else {
        ranges.append(number..<(number + 1))
      }
    }
    return ranges
  }
}
