import MusicModel

/// One line of a cue sheet: a command, and what stands behind it.
struct CueLine {
  /// Longer values are left out, in bytes.
  private static let valueLimit = 4_096
  /// What a file can be, behind its name.
  private static let fileKinds: Set<String> = [
    "WAVE", "WAV", "MP3", "AIFF", "AIF", "BINARY", "MOTOROLA", "FLAC", "OGG", "OPUS", "APE", "WV",
  ]

  /// The first word in upper case; "" on a blank line.
  let command: String
  private let rest: [UInt8]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while unsafe start < bytes.count && Self.isBlank(bytes[start]) { start += 1 }
    var end = start
    while unsafe end < bytes.count && !Self.isBlank(bytes[end]) { end += 1 }
    // No command has more letters.
    command =
      end - start > 10
      ? "" : unsafe String(decoding: bytes[start..<end], as: UTF8.self).uppercased()
    var last = bytes.count
    while unsafe last > end && Self.isBlank(bytes[last - 1]) { last -= 1 }
    while unsafe end < last && Self.isBlank(bytes[end]) { end += 1 }
    rest = unsafe command.isEmpty ? [] : Array(bytes[end..<last])
  }

  /// What stands behind the command, without quotation marks around it; `nil` where that is blank, or too long.
  var value: String? { Self.text(Self.unquoted(rest[...]) ?? rest[...]) }

  /// The words behind the command, at most three.
  var arguments: [String] {
    rest.split(maxSplits: 3, whereSeparator: Self.isBlank).prefix(3).map {
      String(decoding: $0.prefix(64), as: UTF8.self)
    }
  }

  /// The name behind `FILE`, with or without quotation marks, without the kind behind it.
  var fileName: String? {
    if let quoted = Self.unquoted(rest[...]) { return Self.text(quoted) }
    guard let blank = rest.lastIndex(where: Self.isBlank),
      Self.fileKinds.contains(String(decoding: rest[(blank + 1)...].prefix(16), as: UTF8.self).uppercased())
    else { return Self.text(rest[...]) }
    return Self.text(rest[..<blank])
  }

  /// The key, in upper case, and the value behind `REM`.
  var remark: (key: String, value: String)? {
    guard let blank = rest.firstIndex(where: Self.isBlank), blank <= 64 else { return nil }
    let value = rest[blank...].drop(while: Self.isBlank)
    guard let text = Self.text(Self.unquoted(value) ?? value) else { return nil }
    return (String(decoding: rest[..<blank], as: UTF8.self).uppercased(), text)
  }

  /// The number that `text` is: decimal digits, at most nine.
  static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// The CD frames of a time MM:SS:FF, of which the minutes may have up to nine digits.
  static func frames(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0) }
    guard parts.count == 3, numbers.count == 3, numbers[1] < 60,
      numbers[2] < TrackSegment.framesPerSecond
    else { return nil }
    // At most 75 * 60 * 10^9, which every Int of 64 bits holds.
    let (seconds, overflow) = numbers[0].multipliedReportingOverflow(by: 60)
    let (frames, overflows) = seconds.multipliedReportingOverflow(by: TrackSegment.framesPerSecond)
    let (sum, overflowing) = frames.addingReportingOverflow(
      numbers[1] * TrackSegment.framesPerSecond + numbers[2])
    return overflow || overflows || overflowing ? nil : sum
  }

  /// What stands between the first quotation mark, with which `bytes` begin, and the last.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = UInt8(ascii: "\"")
    guard bytes.first == mark else { return nil }
    let inner = bytes.dropFirst()
    guard let end = inner.lastIndex(of: mark) else { return inner }
    return inner[..<end]
  }

  /// The text of these bytes, in which control characters are spaces, without spaces around it; `nil` for none.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count <= valueLimit else { return nil }
    let clean = bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
    guard let first = clean.firstIndex(where: { $0 != 0x20 }),
      let last = clean.lastIndex(where: { $0 != 0x20 })
    else { return nil }
    return String(decoding: clean[first...last], as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0 }
}
