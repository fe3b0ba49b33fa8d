/// What the TOML parser takes for granted of a text: where that does not hold, it does not say what is wrong, but ends
/// the process.
///
/// A table's heading has a name, a time behind a day a digit, and every bracket closes the one that is open. Texts,
/// comments and open brackets tell such places from others; where a text is wrong about these, the parser meets that
/// first, and says so.
struct TOMLPrecondition {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  /// What is wrong with `text`, and in which line, counted from 1; `nil` where the parser can take it.
  static func violation(in text: String) -> TOMLDocument.Failure? {
    var scanner = TOMLPrecondition(bytes: Array(text.utf8))
    return scanner.violation()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private mutating func violation() -> TOMLDocument.Failure? {
    var open: [UInt8] = []
    var isAtStart = true
    var isInHeading = false
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\n"):
        take()
        isAtStart = open.isEmpty
        isInHeading = false
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        guard !isTimeWithoutDigits else { return .init(line: line, message: "a time has no digits") }
        take()
        continue
      case UInt8(ascii: "T"), UInt8(ascii: "t"):
        guard !isTimeWithoutDigits else { return .init(line: line, message: "a time has no digits") }
        take()
      case UInt8(ascii: "#"): while let next, next != UInt8(ascii: "\n") { take() }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): takeText(byte)
      case UInt8(ascii: "[") where isAtStart:
        guard takeHeading() else { return .init(line: line, message: "a table's heading has no name") }
        isInHeading = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        take()
        if !isInHeading { open.append(byte) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // Both kinds' codes are two apart.
        guard isInHeading || open.popLast() == byte - 2 else {
          return .init(line: line, message: "a bracket closes what is not open")
        }
        take()
      default: take()
      }
      isAtStart = false
    }
    return nil
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether a day ends here, and behind this sign or space is neither a digit nor a value's end.
  private var isTimeWithoutDigits: Bool {
    let day = bytes[..<index].suffix(10)
    let dashes = [4, 7].map { day.startIndex + $0 }
    guard day.count == 10, day.indices.allSatisfy({ dashes.contains($0) ? day[$0] == 0x2D : isDigit(day[$0]) }) else {
      return false
    }
    guard index + 1 < bytes.count, !isDigit(bytes[index + 1]) else { return false }
    return next.map { $0 | 0x20 } == UInt8(ascii: "t") || !" \t\r\n#,]}".utf8.contains(bytes[index + 1])
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func take() {
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private mutating func takeSpace() {
    while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { take() }
  }

  /// Takes the brackets of a heading; says whether the parser knows what to make of what follows.
  private mutating func takeHeading() -> Bool {
    take()
    takeSpace()
    if next == UInt8(ascii: "[") {
      take()
      takeSpace()
    }
    guard let next else { return true }
    return "\"'-_]".utf8.contains(next) || isDigit(next)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
  }

  /// Takes a text between such marks: of several lines between three, of one line else.
  private mutating func takeText(_ mark: UInt8) {
    let isLong = bytes[index...].starts(with: [mark, mark, mark])
    for _ in 0..<(isLong ? 3 : 1) { take() }
    while let byte = next {
      if byte == UInt8(ascii: "\n"), !isLong { return }
      if byte == mark, !isLong || bytes[index...].starts(with: [mark, mark, mark]) {
        // Two more are a part of the text.
        let count = isLong ? bytes[index...].prefix(5).prefix { $0 == mark }.count : 1
        for _ in 0..<count { take() }
        return
      }
      take()
      if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\""), next != nil { take() }
    }
  }
}
