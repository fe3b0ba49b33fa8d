/// Reads what ``ByteWriter`` wrote. Bytes that it cannot have written make ``isDamaged`` true and are read as zeros;
/// nothing traps.
struct ByteReader {
  /// What is read.
  let bytes: [UInt8]
  /// The index of the next byte.
  private(set) var position: Int
  /// The index behind the last byte.
  let end: Int
  /// Whether something could not be read.
  private(set) var isDamaged: Bool

  /// A reader of these bytes from `position` to before `end`.
  init(_ bytes: [UInt8], from position: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    let end = min(end ?? bytes.count, bytes.count)
    isDamaged = position < 0 || position > end
    self.end = max(0, end)
    self.position = isDamaged ? self.end : position
  }

  /// Whether all was read.
  var isAtEnd: Bool { position == end }

  /// Says that what was read makes no sense.
  mutating func fail() { isDamaged = true }

  mutating func byte() -> UInt8 {
    guard position < end else {
      isDamaged = true
      return 0
    }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func unsigned() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let next = byte()
      value |= UInt64(next & 0x7F) << shift
      if next & 0x80 == 0 { return value }
      shift += 7
    }
    isDamaged = true
    return 0
  }

  mutating func signed() -> Int64 {
    let value = unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A number of bytes or things that are still to be read, each of one byte at least.
  mutating func count() -> Int {
    let value = unsigned()
    guard value <= UInt64(end - position) else {
      isDamaged = true
      return 0
    }
    return Int(value)
  }

  /// The indexes of so many bytes.
  mutating func range(_ count: Int) -> Range<Int> {
    guard count >= 0, count <= end - position else {
      isDamaged = true
      return position..<position
    }
    defer { position += count }
    return position..<(position + count)
  }

  mutating func text() -> String {
    let length = count()
    return String(decoding: bytes[range(length)], as: UTF8.self)
  }

  mutating func optionalText() -> String? {
    let length = unsigned()
    guard length > 0 else { return nil }
    guard length - 1 <= UInt64(end - position) else {
      isDamaged = true
      return nil
    }
    return String(decoding: bytes[range(Int(length - 1))], as: UTF8.self)
  }

  mutating func texts() -> [String] {
    let number = count()
    var texts: [String] = []
    texts.reserveCapacity(number)
    for _ in 0..<number {
      if isDamaged { break }
      texts.append(text())
    }
    return texts
  }

  mutating func optionalInt() -> Int? {
    switch byte() {
    case 0: return nil
    case 1: return Int(signed())
    default:
      isDamaged = true
      return nil
    }
  }

  mutating func skipText() { _ = range(count()) }

  mutating func skipOptionalText() {
    let length = unsigned()
    guard length > 0 else { return }
    guard length - 1 <= UInt64(end - position) else { return fail() }
    _ = range(Int(length - 1))
  }

  mutating func skipTexts() {
    for _ in 0..<count() {
      if isDamaged { return }
      skipText()
    }
  }
}
