// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB

/// A set of track IDs, stored as one bit per ID.
package struct TrackSet {
  /// The end of the range of IDs that are stored as bits. Larger IDs are stored separately, so that a single large ID
  /// does not take memory for all IDs below it.
  static let end: Int64 = 1 << 26

  /// The bits of the IDs from 0 on, starting with the lowest bit of the first word.
  private var bits: [UInt64] = []
  private var others: Set<Int64> = []

  /// Creates an empty set.
  package init() {}

  init(_ ids: some Sequence<Int64>) { for id in ids { insert(id) } }

  var count: Int { bits.reduce(others.count) { $0 + $1.nonzeroBitCount } }

  var isEmpty: Bool { others.isEmpty && bits.allSatisfy { $0 == 0 } }

  /// Adds a track.
  package mutating func insert(_ id: Int64) {
    guard (0..<Self.end).contains(id) else {
      others.insert(id)
      return
    }
    let word = Int(id >> 6)
    if word >= bits.count {
      bits.append(contentsOf: repeatElement(0, count: max(word + 1 - bits.count, bits.count)))
    }
    bits[word] |= 1 << UInt64(id & 63)
  }

  package func contains(_ id: Int64) -> Bool {
    guard (0..<Self.end).contains(id) else { return others.contains(id) }
    let word = Int(id >> 6)
    return word < bits.count && bits[word] & (1 << UInt64(id & 63)) != 0
  }

  mutating func formIntersection(_ other: TrackSet) {
    others.formIntersection(other.others)
    if bits.count > other.bits.count { bits.removeLast(bits.count - other.bits.count) }
    for index in bits.indices { bits[index] &= other.bits[index] }
  }

  mutating func formUnion(_ other: TrackSet) {
    others.formUnion(other.others)
    if bits.count < other.bits.count {
      bits.append(contentsOf: repeatElement(0, count: other.bits.count - bits.count))
    }
    for index in other.bits.indices { bits[index] |= other.bits[index] }
  }

  mutating func subtract(_ other: TrackSet) {
    others.subtract(other.others)
    for index in 0..<min(bits.count, other.bits.count) { bits[index] &= ~other.bits[index] }
  }

  /// The IDs in ascending order, except that negative ones, if any, come at the end.
  var ids: [Int64] {
    var ids: [Int64] = []
    for (index, word) in bits.enumerated() {
      var rest = word
      while rest != 0 {
        ids.append(Int64(index) << 6 | Int64(rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return ids + others.sorted()
  }
}

/// The SQL function `segue_is_among(ID, IDS)`: whether an ID is among others, which are packed in ascending order.
enum TrackIDFunction {
  static let name = "segue_is_among"

  /// Returns IDs, which must be in ascending order, in the form of the function's second argument.
  static func bytes(of ids: [Int64]) -> Data {
    var data = Data(capacity: ids.count * 8)
    for id in ids { unsafe withUnsafeBytes(of: id) { unsafe data.append(contentsOf: $0) } }
    return data
  }

  /// Registers the function on a connection.
  static func add(to database: Database) throws {
    try SQLFunction.add(name, count: 2, to: database) { arguments in
      guard case .integer(let id) = arguments[0].stored, case .bytes(let bytes) = arguments[1].stored else {
        return 0
      }
      var (low, high) = (0, bytes.count / 8)
      while low < high {
        let middle = low + (high - low) / 2
        let found = unsafe bytes.loadUnaligned(fromByteOffset: middle * 8, as: Int64.self)
        if found == id { return 1 }
        if found < id { low = middle + 1 } else { high = middle }
      }
      return 0
    }
  }
}

/// The tracks that can match a query, found with indexes: those in ``ids``, or all tracks that are not in it.
struct CandidateSet {
  var ids: TrackSet
  /// Whether the candidates are the tracks that are not in ``ids``.
  var isComplement: Bool
  /// Whether all candidates match the query.
  var isExact: Bool

  /// All tracks; any of them may match.
  static let unknown = CandidateSet(ids: TrackSet(), isComplement: true, isExact: false)
  /// All tracks; every one of them matches.
  static let everything = CandidateSet(ids: TrackSet(), isComplement: true, isExact: true)

  /// Whether the set excludes no track, and confirms none as a match.
  var isUnknown: Bool { isComplement && !isExact && ids.isEmpty }

  func contains(_ track: Int64) -> Bool { ids.contains(track) != isComplement }

  /// The candidates for the negated query; ``unknown`` unless this set is exact.
  var negation: CandidateSet {
    isExact ? CandidateSet(ids: ids, isComplement: !isComplement, isExact: true) : .unknown
  }

  mutating func formIntersection(_ other: CandidateSet) {
    isExact = isExact && other.isExact
    switch (isComplement, other.isComplement) {
    case (false, false): ids.formIntersection(other.ids)
    case (false, true): ids.subtract(other.ids)
    case (true, true): ids.formUnion(other.ids)
    case (true, false):
      var result = other.ids
      result.subtract(ids)
      ids = result
      isComplement = false
    }
  }

  mutating func formUnion(_ other: CandidateSet) {
    let bothExact = isExact && other.isExact
    isComplement.toggle()
    isExact = true
    formIntersection(CandidateSet(ids: other.ids, isComplement: !other.isComplement, isExact: true))
    isComplement.toggle()
    isExact = bothExact
  }
}
