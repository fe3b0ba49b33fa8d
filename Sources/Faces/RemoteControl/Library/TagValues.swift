// SPDX-License-Identifier: GPL-3.0-or-later

/// The combinations of values that some tags have in a collection of songs. They are listed as a hierarchy: below each
/// value of the first tag are the values of the second that occur with it, and so on.
struct ValueRows {
  /// A value, with its first bytes as a number for fast comparison.
  private struct Value: Comparable {
    let beginning: UInt64
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      var beginning: UInt64 = 0
      for byte in bytes.prefix(8) { beginning = beginning << 8 | UInt64(byte) }
      // A value of fewer than eight bytes is padded with zeros.
      self.beginning = beginning << UInt64(8 * max(0, 8 - bytes.count))
    }

    static func == (left: Self, right: Self) -> Bool {
      left.beginning == right.beginning && left.bytes == right.bytes
    }

    static func < (left: Self, right: Self) -> Bool {
      left.beginning != right.beginning
        ? left.beginning < right.beginning : left.bytes.lexicographicallyPrecedes(right.bytes)
    }
  }

  /// A combination of one value from each tag.
  private struct Row: Comparable {
    let first: Value
    /// The values of all tags except the first.
    let others: [Value]

    static func < (left: Self, right: Self) -> Bool {
      left.first != right.first ? left.first < right.first : left.others.lexicographicallyPrecedes(right.others)
    }

    /// Returns the index of the first value that differs from that in `other`; `nil` if none does.
    func firstDifference(from other: Self?) -> Int? {
      guard let other, first == other.first else { return 0 }
      return zip(others, other.others).enumerated().first { $1.0 != $1.1 }.map { $0.offset + 1 }
    }
  }

  private let keys: [LineKey]
  private var rows: [Row] = []
  /// The total size of the values in bytes.
  private var size = 0

  init(_ tags: [SongTag]) { keys = tags.map { LineKey($0.rawValue) } }

  /// Adds a song. `values` has one element for each tag: the values of that tag, separated by U+001F. The absence of a
  /// tag counts as an empty value.
  mutating func add(_ values: [[UInt8]]) {
    guard let first = values.first else { return }
    size += values.reduce(0) { $0 + $1.count }
    let rest = values.count == 1 ? [[]] : Self.combinations(values.dropFirst())
    for value in Self.values(first) {
      for others in rest { rows.append(Row(first: value, others: others)) }
    }
  }

  private static func values(_ bytes: [UInt8]) -> [Value] {
    bytes.contains(0x1F) ? bytes.split(separator: 0x1F).map { Value($0) } : [Value(bytes[...])]
  }

  /// Returns every combination of one value from each tag. Each element of `tags` contains the values of a tag.
  private static func combinations(_ tags: ArraySlice<[UInt8]>) -> [[Value]] {
    guard let first = tags.first else { return [[]] }
    let rest = combinations(tags.dropFirst())
    return Self.values(first).flatMap { value in rest.map { [value] + $0 } }
  }

  /// Returns the response lines: the values of the first tag at the positions in `window`, sorted by their bytes and
  /// without duplicates, each followed by the values below it.
  mutating func lines(_ window: ProtocolRange) -> Response {
    rows.sort()
    var lines = LineBuffer(capacity: size + rows.count * 16)
    var last: Row?
    // The number of distinct values of the first tag so far.
    var count = 0
    for row in rows {
      guard let first = row.firstDifference(from: last) else { continue }
      last = row
      if first == 0 { count += 1 }
      guard count > window.start else { continue }
      if let end = window.end, count > end { break }
      if first == 0, let key = keys.first { Self.add(key, row.first, to: &lines) }
      for index in max(1, first)..<max(1, keys.count) { Self.add(keys[index], row.others[index - 1], to: &lines) }
    }
    var response = Response()
    response.add(lines)
    return response
  }

  /// Adds a line. Line breaks in the value are replaced, and invalid UTF-8 is repaired.
  private static func add(_ key: LineKey, _ value: Value, to lines: inout LineBuffer) {
    let isText = unsafe value.bytes.withUnsafeBytes { bytes in
      guard unsafe SongURI.isPlain(bytes) else { return false }
      unsafe lines.add(key, bytes)
      return true
    }
    if isText { return }
    let text = String(decoding: value.bytes, as: UTF8.self)
    lines.add(key, text.utf8.map { [10, 13, 0].contains($0) ? UInt8(ascii: " ") : $0 })
  }
}
