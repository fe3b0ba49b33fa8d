// SPDX-License-Identifier: GPL-3.0-or-later

extension LegacyText.Encoding {
  private static let wide: [Self] = [.utf32LittleEndian, .utf32BigEndian, .utf16LittleEndian, .utf16BigEndian]

  /// The byte order mark; empty if the encoding has none.
  public var byteOrderMark: [UInt8] {
    switch self {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .utf32LittleEndian: [0xFF, 0xFE, 0, 0]
    case .utf32BigEndian: [0, 0, 0xFE, 0xFF]
    case .windows1252, .other: []
    }
  }

  /// Whether the encoding is UTF-16 or UTF-32, in which characters of ASCII have a NUL.
  public var isWide: Bool { Self.wide.contains(self) }

  /// The units of the encoding, if it is wide.
  var units: WideUnits? {
    switch self {
    case .utf16LittleEndian: WideUnits(size: 2, isLittleEndian: true)
    case .utf16BigEndian: WideUnits(size: 2, isLittleEndian: false)
    case .utf32LittleEndian: WideUnits(size: 4, isLittleEndian: true)
    case .utf32BigEndian: WideUnits(size: 4, isLittleEndian: false)
    case .utf8, .windows1252, .other: nil
    }
  }

  /// Creates the wide encoding that a byte order mark states, or that the bytes show. Returns `nil` if there is none.
  init?(wide bytes: UnsafeBufferPointer<UInt8>) {
    let hasNUL = unsafe bytes.contains(0)
    guard unsafe hasNUL || bytes.first ?? 0 >= 0xFE else { return nil }
    for encoding in Self.wide where unsafe bytes.starts(with: encoding.byteOrderMark) {
      self = encoding
      return
    }
    guard hasNUL else { return nil }
    // The NULs may also separate strings in UTF-8.
    let isPrintable = unsafe bytes.allSatisfy { $0 == 0 || $0 >= 0x20 || (0x09...0x0D).contains($0) }
    let share = unsafe isPrintable && String(validating: bytes, as: UTF8.self) != nil ? 0.75 : 0.0625
    var best: (encoding: Self, share: Double)?
    for encoding in Self.wide {
      // In the wrong byte order, some characters look like ASCII.
      if let found = unsafe encoding.units?.share(ofASCII: bytes), found > best?.share ?? share {
        best = (encoding, found)
      }
    }
    guard let best else { return nil }
    self = best.encoding
  }
}

extension LegacyText {
  /// Returns the encoding of UTF-16 or UTF-32 with a byte order mark, or of text that is evidently in one of them: it
  /// has no invalid or control characters, and some of it is ASCII, as in lists of files and lyrics.
  public static func wideEncoding(of bytes: some Collection<UInt8>) -> Encoding? {
    unsafe withBuffer(bytes) { unsafe Encoding(wide: $0) }
  }

  /// Whether the bytes contain a NUL, which text does not, except in UTF-16 and UTF-32.
  public static func isBinary(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.contains(0) && wideEncoding(of: bytes) == nil
  }
}

/// The units of UTF-16 or UTF-32 in bytes.
struct WideUnits {
  /// The size of a unit in bytes: 2 or 4.
  let size: Int
  let isLittleEndian: Bool

  /// Returns the text of `bytes`. Invalid units, and a part of a unit at the end, become U+FFFD.
  func text(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var units: [UInt32] = []
    unsafe units.reserveCapacity(bytes.count / size + 1)
    _ = unsafe forEach(of: UnsafeBufferPointer(rebasing: bytes)) { unit in
      units.append(unit)
      return true
    }
    if unsafe bytes.count % size != 0 { units.append(0xFFFD) }
    if size == 2 { return String(decoding: units.lazy.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self) }
    var text = ""
    text.unicodeScalars.append(contentsOf: units.lazy.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
    return text
  }

  /// Returns the bytes of `text`.
  func bytes(of text: String) -> [UInt8] {
    let units = size == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map(\.value)
    let shifts = (0..<size).map { (isLittleEndian ? $0 : size - 1 - $0) * 8 }
    return units.flatMap { unit in shifts.map { UInt8(truncatingIfNeeded: unit >> UInt32($0)) } }
  }

  /// Returns the fraction of ASCII in text in these units; `nil` if `bytes` have invalid or control characters, or
  /// fewer than two units.
  func share(ofASCII bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let count = bytes.count / size
    guard count > 1 else { return nil }
    var (plainCount, isAfterHigh) = (0, false)
    let isValid = unsafe forEach(of: bytes) { unit in
      let isLow = size == 2 && (0xDC00...0xDFFF).contains(unit)
      if isAfterHigh != isLow { return false }
      isAfterHigh = size == 2 && (0xD800...0xDBFF).contains(unit)
      if isLow || isAfterHigh { return true }
      switch unit {
      case 0x09...0x0D, 0x20...0x7E: plainCount += 1
      case 0...0x1F, 0x7F, 0xFFFE...0xFFFF: return false
      default: return Unicode.Scalar(unit) != nil
      }
      return true
    }
    return isValid ? Double(plainCount) / Double(count) : nil
  }

  /// Calls `body` with each complete unit until it returns `false`. Returns whether it never did.
  private func forEach(of bytes: UnsafeBufferPointer<UInt8>, _ body: (UInt32) -> Bool) -> Bool {
    for start in stride(from: 0, through: bytes.count - size, by: size) {
      var unit: UInt32 = 0
      for index in 0..<size {
        unit = unsafe unit << 8 | UInt32(bytes[start + (isLittleEndian ? size - 1 - index : index)])
      }
      if !body(unit) { return false }
    }
    return true
  }
}
