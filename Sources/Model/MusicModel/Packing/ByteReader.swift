// SPDX-License-Identifier: GPL-3.0-or-later

/// Decodes what ``ByteWriter`` encoded. Invalid bytes set ``isDamaged`` and are decoded as zeros; nothing traps.
struct ByteReader {
  let bytes: [UInt8]
  /// The index of the next byte.
  private(set) var position: Int
  /// The index after the last byte to read.
  let end: Int
  /// Whether anything could not be decoded.
  private(set) var isDamaged: Bool

  /// Creates a reader of these bytes from `position` up to, but not including, `end`.
  init(_ bytes: [UInt8], from position: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    let end = min(end ?? bytes.count, bytes.count)
    isDamaged = position < 0 || position > end
    self.end = max(0, end)
    self.position = isDamaged ? self.end : position
  }

  var isAtEnd: Bool { position == end }

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

  /// Reads a count of bytes or elements, which cannot exceed the number of bytes left.
  mutating func count() -> Int {
    let value = unsigned()
    guard value <= UInt64(end - position) else {
      isDamaged = true
      return 0
    }
    return Int(value)
  }

  /// Reads this many bytes and returns their range.
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

extension ByteReader {
  mutating func duration() -> Duration? {
    let value = unsigned()
    switch value & 3 {
    case 0:
      if value != 0 { fail() }
      return nil
    case 1:
      let milliseconds = Int64(value >> 2)
      return Duration(
        secondsComponent: milliseconds / 1_000,
        attosecondsComponent: milliseconds % 1_000 * 1_000_000_000_000_000)
    case 2:
      let microseconds = Int64(value >> 2)
      return Duration(
        secondsComponent: microseconds / 1_000_000,
        attosecondsComponent: microseconds % 1_000_000 * 1_000_000_000_000)
    default:
      if value != 3 { fail() }
      let (seconds, attoseconds) = (signed(), signed())
      return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
  }

  mutating func double() -> Double? {
    let value = unsigned()
    let number = Int64(bitPattern: value >> 3) ^ -Int64(bitPattern: value >> 2 & 1)
    switch value & 3 {
    case 0:
      if value != 0 { fail() }
      return nil
    case 1: return Double(number) / 100
    case 2: return Double(number) / 1_000_000
    default:
      if value != 3 { fail() }
      var pattern: UInt64 = 0
      for index in 0..<8 { pattern |= UInt64(byte()) << UInt64(8 * index) }
      return Double(bitPattern: pattern)
    }
  }

  mutating func ordinal() -> Ordinal? {
    let tag = byte()
    guard tag > 0 else { return nil }
    if tag > 2 { fail() }
    let number = Int(signed())
    return Ordinal(number, of: tag == 2 ? Int(signed()) : nil)
  }

  mutating func date() -> ReleaseDate? {
    let tag = byte()
    guard tag > 0 else { return nil }
    let year = Int(signed())
    let month = tag & 2 != 0 ? Int(signed()) : nil
    let day = tag & 4 != 0 ? Int(signed()) : nil
    let date = ReleaseDate(year: year, month: month, day: day)
    if tag & 1 == 0 || tag > 7 || date == nil { fail() }
    return date
  }

  mutating func sortNames() -> SortNames {
    var names = SortNames()
    names.title = optionalText()
    names.artist = optionalText()
    names.album = optionalText()
    names.albumArtist = optionalText()
    return names
  }

  mutating func audio() -> AudioSummary? {
    let tag = byte()
    guard tag > 0 else { return nil }
    if tag > 1 { fail() }
    let (rate, channels) = (Int(signed()), Int(signed()))
    return AudioSummary(sampleRate: rate, channels: channels, bitDepth: optionalInt())
  }

  mutating func additionalTags() -> [AdditionalTags.Value] {
    var values: [AdditionalTags.Value] = []
    for _ in 0..<count() {
      let tag = byte()
      guard let kind = AdditionalTags.Kind(rawValue: tag >> 1), !isDamaged else {
        fail()
        break
      }
      let text = tag & 1 == 0 ? text() : PackedIdentifier.text(bytes[range(16)])
      values.append(AdditionalTags.Value(kind, text))
    }
    return values
  }

  mutating func playedRange() -> PlayedRange? {
    guard let start = duration() else {
      _ = (duration(), duration())
      return nil
    }
    let range = PlayedRange(start: start, end: duration(), wholeDuration: duration())
    if range == nil { fail() }
    return range
  }

  mutating func segment() -> TrackSegment? {
    let tag = byte()
    guard tag > 0 else { return nil }
    let start = Int(signed())
    let segment = TrackSegment(start: start, end: optionalInt())
    if tag > 1 || segment == nil { fail() }
    return segment
  }
}

extension ByteReader {
  /// Reads a number that must not exceed `bound`.
  mutating func count(upTo bound: Int) -> Int {
    let value = unsigned()
    guard value <= UInt64(bound) else {
      fail()
      return 0
    }
    return Int(value)
  }

  mutating func skip(_ field: TrackField) {
    var skipper = FieldSkipper(reader: self)
    field.visit(&skipper)
    self = skipper.reader
  }
}

private struct FieldSkipper: TrackFieldVisitor {
  var reader: ByteReader

  @inline(__always)
  mutating func visit<Value>(
    _ path: WritableKeyPath<Track, Value>, _ write: (inout ByteWriter, Value) -> Void,
    _ read: (inout ByteReader) -> Value, _ skip: (inout ByteReader) -> Void, isSame: (Value, Value) -> Bool
  ) {
    skip(&reader)
  }

  mutating func visitPath() {
    _ = reader.unsigned()
    reader.skipText()
  }
}
