// SPDX-License-Identifier: GPL-3.0-or-later

/// A buffer of `key: value` lines in contiguous memory, for listings of hundreds of thousands of songs.
///
/// Values are copied unchanged. ``isText(since:)`` checks afterwards whether all of them are valid, which is faster
/// than checking each.
@safe struct LineBuffer: ~Copyable {
  /// A position between two lines of a buffer.
  struct Mark {
    fileprivate let count: Int
    fileprivate let lineCount: Int
  }

  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes in the buffer.
  private(set) var count = 0
  private var lineCount = 0

  /// Creates an empty buffer with an initial capacity in bytes.
  init(capacity: Int) {
    self.capacity = max(64, capacity)
    unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  /// Calls `body` with the bytes of all lines.
  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// The position after the last line.
  var mark: Mark { Mark(count: count, lineCount: lineCount) }

  /// Removes the lines after `mark`.
  mutating func removeLines(after mark: Mark) { (count, lineCount) = (mark.count, mark.lineCount) }

  /// Returns whether the lines after `mark` are valid UTF-8, without control characters in the values.
  func isText(since mark: Mark) -> Bool {
    let lines = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(memory) + mark.count, count: count - mark.count)
    let (controlCount, isASCII) = unsafe TextScan.look(at: lines)
    guard controlCount == lineCount - mark.lineCount else { return false }
    return isASCII || (unsafe TextScan.isUTF8(lines))
  }

  /// Adds a line with these bytes as its value.
  mutating func add(_ key: LineKey, _ value: UnsafeRawBufferPointer) {
    var end = unsafe begin(key, room: value.count)
    unsafe Self.append(value, &end)
    unsafe finish(end)
  }

  /// Adds a line with these bytes as its value.
  mutating func add(_ key: LineKey, _ value: [UInt8]) {
    unsafe value.withUnsafeBytes { unsafe add(key, $0) }
  }

  /// Adds a line whose value is the concatenation of these three pieces.
  mutating func add(
    _ key: LineKey, _ beginning: [UInt8], _ value: UnsafeRawBufferPointer, _ ending: [UInt8]
  ) {
    var end = unsafe begin(key, room: beginning.count + value.count + ending.count)
    unsafe beginning.withUnsafeBytes { unsafe Self.append($0, &end) }
    unsafe Self.append(value, &end)
    unsafe ending.withUnsafeBytes { unsafe Self.append($0, &end) }
    unsafe finish(end)
  }

  /// Adds a line with a number in decimal digits.
  mutating func add(_ key: LineKey, number: Int) {
    var end = unsafe begin(key, room: DecimalDigits.limit)
    unsafe DecimalDigits.append(number, &end)
    unsafe finish(end)
  }

  /// Adds a line with a duration in milliseconds. It is written in seconds with three decimal places, and must not be
  /// negative.
  mutating func add(_ key: LineKey, milliseconds: Int) {
    var end = unsafe begin(key, room: DecimalDigits.limit + 4)
    unsafe DecimalDigits.append(milliseconds / 1_000, &end)
    unsafe Self.append(UInt8(ascii: "."), &end)
    let rest = milliseconds % 1_000
    unsafe Self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100), &end)
    unsafe DecimalDigits.append(twoOf: rest % 100, &end)
    unsafe finish(end)
  }

  /// Adds a line with a point in time in UTC.
  ///
  /// - Parameters:
  ///   - day: The date as text.
  ///   - seconds: The seconds since the beginning of that day.
  mutating func add(_ key: LineKey, day: [UInt8], seconds: Int) {
    var end = unsafe begin(key, room: day.count + 10)
    unsafe day.withUnsafeBytes { unsafe Self.append($0, &end) }
    unsafe Self.append(UInt8(ascii: "T"), &end)
    unsafe DecimalDigits.append(twoOf: seconds / 3_600, &end)
    unsafe Self.append(UInt8(ascii: ":"), &end)
    unsafe DecimalDigits.append(twoOf: seconds / 60 % 60, &end)
    unsafe Self.append(UInt8(ascii: ":"), &end)
    unsafe DecimalDigits.append(twoOf: seconds % 60, &end)
    unsafe Self.append(UInt8(ascii: "Z"), &end)
    unsafe finish(end)
  }

  /// Begins a line with `key`, and reserves `room` bytes for the value. Returns the address for the value.
  @inline(__always)
  private mutating func begin(_ key: LineKey, room: Int) -> UnsafeMutableRawPointer {
    // All bytes of the key are written, including those that are not used. After the value comes a newline.
    let needed = LineKey.limit + room + 1
    if capacity - count < needed { grow(needed) }
    unsafe (memory + count).storeBytes(of: key.bytes, as: SIMD32<UInt8>.self)
    return unsafe memory + count + key.count
  }

  @inline(__always)
  private mutating func finish(_ end: UnsafeMutableRawPointer) {
    unsafe end.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
    unsafe count = end - memory + 1
    lineCount += 1
  }

  @inline(__always)
  private static func append(_ bytes: UnsafeRawBufferPointer, _ end: inout UnsafeMutableRawPointer) {
    guard let start = bytes.baseAddress else { return }
    unsafe end.copyMemory(from: start, byteCount: bytes.count)
    unsafe end += bytes.count
  }

  @inline(__always)
  private static func append(_ byte: UInt8, _ end: inout UnsafeMutableRawPointer) {
    unsafe end.storeBytes(of: byte, as: UInt8.self)
    unsafe end += 1
  }

  @inline(never)
  private mutating func grow(_ needed: Int) {
    capacity = max(2 * capacity, count + needed)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe larger.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = unsafe larger
  }
}

/// The start of a line: a key, a colon and a space.
struct LineKey: Sendable {
  /// The maximum number of bytes.
  static let limit = 32

  /// The bytes of the start, padded with unused bytes. All are written at once, which takes no longer than writing one.
  let bytes: SIMD32<UInt8>
  /// The number of bytes that are used.
  let count: Int

  /// Creates the start of a line with `key`, truncated to ``limit`` bytes.
  init(_ key: String) {
    var bytes = SIMD32<UInt8>()
    let text = "\(key): ".utf8.prefix(Self.limit)
    for (index, byte) in text.enumerated() { bytes[index] = byte }
    self.bytes = bytes
    count = text.count
  }
}

/// Writes numbers in decimal digits into memory, which must have room for them.
enum DecimalDigits {
  /// The maximum number of bytes that a number takes.
  static let limit = 20

  /// Writes `number` at `end`, and advances `end`.
  static func append(_ number: Int, _ end: inout UnsafeMutableRawPointer) {
    var rest = number.magnitude
    if number < 0 {
      unsafe end.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
      unsafe end += 1
    }
    var count = 1
    var bound: UInt = 10
    while rest >= bound, count < limit - 1 { (bound, count) = (bound &* 10, count + 1) }
    for index in stride(from: count - 1, through: 0, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      unsafe end.storeBytes(
        of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit), toByteOffset: index, as: UInt8.self)
      rest = quotient
    }
    unsafe end += count
  }

  /// Writes a number below 100 as two digits at `end`, and advances `end`.
  static func append(twoOf number: Int, _ end: inout UnsafeMutableRawPointer) {
    let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
    unsafe end.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens), as: UInt8.self)
    unsafe end.storeBytes(
      of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ones), toByteOffset: 1, as: UInt8.self)
    unsafe end += 2
  }
}

/// Examines text eight bytes at a time.
enum TextScan {
  /// A word in which the highest bit of each byte is set.
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  /// A word in which the lowest bit of each byte is set.
  private static let lowest: UInt64 = 0x0101_0101_0101_0101

  /// Returns the number of ASCII control characters in `bytes`, and whether all bytes are ASCII.
  static func look(at bytes: UnsafeRawBufferPointer) -> (controlCount: Int, isASCII: Bool) {
    var controlCount = 0
    var combinedBits: UInt64 = 0
    var index = 0
    while bytes.count &- index >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      combinedBits |= word
      // No byte carries into the next one, since each is below 0x80.
      let low = word & ~highest
      let isBelowSpace = ~((low &+ 0x60 &* lowest) | word)
      let isDelete = (low &+ lowest) & ~word
      let isControl = (isBelowSpace | isDelete) & highest
      // The highest byte of the product is the sum of all bytes.
      controlCount &+= Int(truncatingIfNeeded: ((isControl &>> 7) &* lowest) &>> 56)
      index &+= 8
    }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      combinedBits |= UInt64(byte)
      if byte < 0x20 || byte == 0x7F { controlCount += 1 }
      index += 1
    }
    return (controlCount, combinedBits & highest == 0)
  }

  /// Returns whether `bytes` are valid UTF-8.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
      let span = unsafe bytes.span
      return (try? UTF8Span(validating: span)) != nil
    }
  }
}
