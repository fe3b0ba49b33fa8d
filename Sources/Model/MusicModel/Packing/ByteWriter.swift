// SPDX-License-Identifier: GPL-3.0-or-later

/// Encodes numbers and text as bytes. Small values take fewer bytes.
struct ByteWriter {
  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []

  /// Appends a number with seven bits in each byte, the lowest bits first. The high bit is set if another byte follows.
  mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed number. Numbers close to zero take few bytes.
  mutating func append(_ value: Int64) { append(Self.zigzag(value)) }

  /// Appends a count.
  mutating func append(count: Int) { append(UInt64(max(0, count))) }

  /// Appends one byte.
  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Appends bytes without their number.
  mutating func append(contentsOf other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  /// Appends a string, preceded by its length in bytes.
  mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends an optional string, preceded by 0 for `nil`, or by its length in bytes plus 1.
  mutating func append(_ text: String?) {
    guard let text else { return append(byte: 0) }
    append(count: text.utf8.count + 1)
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends an array of strings, preceded by their number.
  mutating func append(_ texts: [String]) {
    append(count: texts.count)
    texts.forEach { append($0) }
  }

  /// Appends an optional number, preceded by 0 for `nil`, or by 1.
  mutating func append(_ value: Int?) {
    guard let value else { return append(byte: 0) }
    append(byte: 1)
    append(Int64(value))
  }

  /// Returns the zigzag encoding of a number, which has the sign in the lowest bit.
  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }
}

extension ByteWriter {
  /// Appends an optional duration, in whole milliseconds or microseconds if that is exact.
  mutating func append(_ duration: Duration?) {
    guard let duration else { return append(byte: 0) }
    let (seconds, attoseconds) = duration.components
    if (0..<(1 << 40)).contains(seconds), attoseconds >= 0 {
      if attoseconds % 1_000_000_000_000_000 == 0 {
        let value = UInt64(seconds) * 1_000 + UInt64(attoseconds / 1_000_000_000_000_000)
        return append(value << 2 | 1)
      }
      if attoseconds % 1_000_000_000_000 == 0 {
        let value = UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
        if value < 1 << 60 { return append(value << 2 | 2) }
      }
    }
    append(byte: 3)
    append(seconds)
    append(attoseconds)
  }

  /// Appends an optional floating-point number, in whole hundredths or millionths if that is exact.
  mutating func append(_ value: Double?) {
    guard let value else { return append(byte: 0) }
    for (tag, scale) in [(1 as UInt64, 100.0), (2, 1_000_000.0)] {
      let scaled = (value * scale).rounded()
      guard value != 0 || value.sign == .plus, abs(scaled) < 1e12,
        (scaled / scale).bitPattern == value.bitPattern
      else { continue }
      return append(Self.zigzag(Int64(scaled)) << 2 | tag)
    }
    append(byte: 3)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { append(contentsOf: $0) }
  }

  mutating func append(_ ordinal: Ordinal?) {
    guard let ordinal else { return append(byte: 0) }
    append(byte: ordinal.total == nil ? 1 : 2)
    append(Int64(ordinal.number))
    if let total = ordinal.total { append(Int64(total)) }
  }

  mutating func append(_ date: ReleaseDate?) {
    guard let date else { return append(byte: 0) }
    append(byte: 1 | (date.month == nil ? 0 : 2) | (date.day == nil ? 0 : 4))
    append(Int64(date.year))
    if let month = date.month { append(Int64(month)) }
    if let day = date.day { append(Int64(day)) }
  }

  mutating func append(_ audio: AudioSummary?) {
    guard let audio else { return append(byte: 0) }
    append(byte: 1)
    append(Int64(audio.sampleRate))
    append(Int64(audio.channels))
    append(audio.bitDepth)
  }

  /// Appends additional tags. Most of them are MusicBrainz identifiers, which take 16 bytes each.
  mutating func append(_ values: ArraySlice<AdditionalTags.Value>) {
    append(count: values.count)
    for value in values {
      let identifier = PackedIdentifier.bytes(value.text)
      append(byte: value.kind.rawValue << 1 | (identifier == nil ? 0 : 1))
      if let identifier { append(contentsOf: identifier) } else { append(value.text) }
    }
  }

  mutating func append(_ range: PlayedRange?) {
    append(range?.start)
    append(range?.end)
    append(range?.wholeDuration)
  }

  mutating func append(_ segment: TrackSegment?) {
    guard let segment else { return append(byte: 0) }
    append(byte: 1)
    append(Int64(segment.start))
    append(segment.end)
  }
}
