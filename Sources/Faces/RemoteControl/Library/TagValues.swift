import LibraryIndex

/// The values of some tags that songs have together, one tag after the other: a list of the first, of each of its
/// values one of the second, and so on.
struct ValueRows {
  /// A value, and its first bytes as a number, by which most are told apart.
  private struct Value: Comparable {
    let beginning: UInt64
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      var beginning: UInt64 = 0
      for byte in bytes.prefix(8) { beginning = beginning << 8 | UInt64(byte) }
      // What is shorter is as if zeros followed.
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

  /// A value of each tag.
  private struct Row: Comparable {
    let first: Value
    /// Those of all tags but the first.
    let others: [Value]

    static func < (left: Self, right: Self) -> Bool {
      left.first != right.first ? left.first < right.first : left.others.lexicographicallyPrecedes(right.others)
    }

    /// The place of the first value that is another one than in `other`; `nil` where none is.
    func firstDifference(from other: Self?) -> Int? {
      guard let other, first == other.first else { return 0 }
      return zip(others, other.others).enumerated().first { $1.0 != $1.1 }.map { $0.offset + 1 }
    }
  }

  private let keys: [LineKey]
  private var rows: [Row] = []
  /// How many bytes they have.
  private var size = 0

  /// No values of these tags yet.
  init(_ tags: [SongTag]) { keys = tags.map { LineKey($0.rawValue) } }

  /// Adds what a song has: of each tag its values with a U+001F between them. What a song has not is a value, too.
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

  /// Each value of the first with each of the second, and so on.
  private static func combinations(_ values: ArraySlice<[UInt8]>) -> [[Value]] {
    guard let first = values.first else { return [[]] }
    let rest = combinations(values.dropFirst())
    return Self.values(first).flatMap { value in rest.map { [value] + $0 } }
  }

  /// The lines, each value once, in the order of their bytes: those of the first tag that are in `window`, each with
  /// all below it.
  mutating func lines(_ window: ProtocolRange) -> Response {
    rows.sort()
    var lines = LineBuffer(capacity: size + rows.count * 16)
    var last: Row?
    // How many values of the first tag were met.
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

  /// Adds a line; what would end it, or is no UTF-8, does not stand in it.
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

/// The values of some tags that songs have together: under each value of the first tag those of the second, and so on.
struct ValueTree {
  private var totals = TrackTotals()
  private var children: [String: ValueTree] = [:]

  /// No values.
  init() {}

  /// Adds the songs that have these values, of each tag any number.
  mutating func add(_ values: [[String]], _ totals: TrackTotals) { add(values[...], totals) }

  private mutating func add(_ values: ArraySlice<[String]>, _ totals: TrackTotals) {
    guard let first = values.first else { return self.totals.add(totals) }
    // What a song has not is a value, too.
    for value in first.isEmpty ? [""] : Set(first) {
      children[value, default: ValueTree()].add(values.dropFirst(), totals)
    }
  }

  /// Adds how many songs have each value of the one tag, or, without one, how many there are.
  func addCounts(_ tags: [SongTag], to response: inout Response) {
    guard let tag = tags.first else {
      response.add("songs", totals.trackCount)
      response.add("playtime", totals.milliseconds / 1000)
      return
    }
    for (value, child) in sortedChildren {
      response.add(tag.rawValue, value)
      child.addCounts([], to: &response)
    }
  }

  private var sortedChildren: [(key: String, value: ValueTree)] {
    children.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
