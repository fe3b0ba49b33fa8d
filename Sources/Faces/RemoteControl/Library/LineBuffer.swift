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
