/// Lines of `key: value` one behind the other in memory that grows: for what is told of songs by the hundred thousand.
///
/// Values are copied as they are. Whether all of them may stand in a line is seen afterwards, at once:
/// ``isText(since:)``.
@safe struct LineBuffer: ~Copyable {
  /// A place between two lines.
  struct Mark {
    fileprivate let count: Int
    fileprivate let lineCount: Int
  }

  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes there are.
  private(set) var count = 0
  private var lineCount = 0

  /// No lines, and room for so many bytes at first.
  init(capacity: Int) {
    self.capacity = max(64, capacity)
    unsafe memory = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  /// Gives `body` all lines.
  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// The place behind the last line.
  var mark: Mark { Mark(count: count, lineCount: lineCount) }

  /// Drops the lines behind `mark`.
  mutating func drop(behind mark: Mark) { (count, lineCount) = (mark.count, mark.lineCount) }

  /// Whether the lines behind `mark` are UTF-8, and have no control characters in their values.
  func isText(since mark: Mark) -> Bool {
    let lines = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(memory) + mark.count, count: count - mark.count)
    let (controlCount, isASCII) = unsafe TextScan.look(at: lines)
    guard controlCount == lineCount - mark.lineCount else { return false }
    return isASCII || (unsafe TextScan.isUTF8(lines))
  }

  /// Adds a line with a value of these bytes.
  mutating func add(_ key: LineKey, _ value: UnsafeRawBufferPointer) {
    var end = unsafe begin(key, room: value.count)
    unsafe Self.append(value, &end)
    unsafe finish(end)
  }

  /// Adds a line with a value of these bytes.
  mutating func add(_ key: LineKey, _ value: [UInt8]) {
    unsafe value.withUnsafeBytes { unsafe add(key, $0) }
  }

  /// Adds a line with a value of these bytes, one behind the other.
  mutating func add(
    _ key: LineKey, _ beginning: [UInt8], _ value: UnsafeRawBufferPointer, _ ending: [UInt8]
  ) {
    var end = unsafe begin(key, room: beginning.count + value.count + ending.count)
    unsafe beginning.withUnsafeBytes { unsafe Self.append($0, &end) }
    unsafe Self.append(value, &end)
    unsafe ending.withUnsafeBytes { unsafe Self.append($0, &end) }
    unsafe finish(end)
  }

  /// Adds a line with a number.
  mutating func add(_ key: LineKey, number: Int) {
    var end = unsafe begin(key, room: DecimalDigits.limit)
    unsafe DecimalDigits.append(number, &end)
    unsafe finish(end)
  }

  /// Adds a line with so many milliseconds, which are not negative, as seconds with three digits behind the point.
  mutating func add(_ key: LineKey, milliseconds: Int) {
    var end = unsafe begin(key, room: DecimalDigits.limit + 4)
    unsafe DecimalDigits.append(milliseconds / 1_000, &end)
    unsafe Self.append(UInt8(ascii: "."), &end)
    let rest = milliseconds % 1_000
    unsafe Self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100), &end)
    unsafe DecimalDigits.append(twoOf: rest % 100, &end)
    unsafe finish(end)
  }

  /// Adds a line with a time of a day, so many seconds after it began, in UTC.
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

  /// Begins a line with `key`, makes room for so many bytes of a value, and gives where that begins.
  @inline(__always)
  private mutating func begin(_ key: LineKey, room: Int) -> UnsafeMutableRawPointer {
    // Of a key, all bytes are written that there may be; and behind the value is the line's end.
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

/// What a line begins with.
struct LineKey: Sendable {
  /// The most bytes that it has.
  static let limit = 32

  /// The key, a colon and a space; what follows counts for nothing. All are written at once, which takes no longer than
  /// to write one.
  let bytes: SIMD32<UInt8>
  /// How many of them there are.
  let count: Int

  /// A line of this key; what is above ``limit`` is left out.
  init(_ key: String) {
    var bytes = SIMD32<UInt8>()
    let text = "\(key): ".utf8.prefix(Self.limit)
    for (index, byte) in text.enumerated() { bytes[index] = byte }
    self.bytes = bytes
    count = text.count
  }
}

/// Numbers in digits, written into memory that has room for them.
enum DecimalDigits {
  /// The most bytes that a number takes.
  static let limit = 20

  /// Writes `number` at `end`, which it moves behind it.
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

  /// Writes a number below 100 in two digits at `end`, which it moves behind them.
  static func append(twoOf number: Int, _ end: inout UnsafeMutableRawPointer) {
    let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
    unsafe end.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens), as: UInt8.self)
    unsafe end.storeBytes(
      of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: ones), toByteOffset: 1, as: UInt8.self)
    unsafe end += 2
  }
}

/// Looks at many bytes at a time.
enum TextScan {
  /// The highest bit of each byte of a word.
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  /// The lowest bit of each.
  private static let lowest: UInt64 = 0x0101_0101_0101_0101

  /// How many control characters of ASCII `bytes` have, and whether they are ASCII.
  static func look(at bytes: UnsafeRawBufferPointer) -> (controlCount: Int, isASCII: Bool) {
    var controlCount = 0
    var seen: UInt64 = 0
    var index = 0
    while bytes.count &- index >= 8 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      seen |= word
      // No byte carries into the next one: each is below 0x80.
      let low = word & ~highest
      let isBelowSpace = ~((low &+ 0x60 &* lowest) | word)
      let isDelete = (low &+ lowest) & ~word
      let isControl = (isBelowSpace | isDelete) & highest
      // The product's highest byte is the sum of all.
      controlCount &+= Int(truncatingIfNeeded: ((isControl &>> 7) &* lowest) &>> 56)
      index &+= 8
    }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      seen |= UInt64(byte)
      if byte < 0x20 || byte == 0x7F { controlCount += 1 }
      index += 1
    }
    return (controlCount, seen & highest == 0)
  }

  /// Whether `bytes` are UTF-8.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.withMemoryRebound(to: UInt8.self) { bytes in
      let span = unsafe bytes.span
      return (try? UTF8Span(validating: span)) != nil
    }
  }
}
