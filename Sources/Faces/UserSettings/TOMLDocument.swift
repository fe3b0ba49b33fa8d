import TOMLKit

/// A file of settings as TOML. Nothing else names the parser.
///
/// What the parser takes to the end of the process, it never gives back: some hundred bytes a key.
enum TOMLDocument {
  /// The most marks that open something, or go one deeper: the parser calls itself once for each, and the stack has an
  /// end.
  static let markLimit = 2_000

  /// What stands in `text`.
  static func parse(_ text: String) throws(TOMLError) -> [String: SettingsTree] {
    try checkDepth(of: text)
    if let violation = TOMLPrecondition.violation(in: text) { throw violation }
    do {
      return entries(of: try TOMLTable(string: text), depth: 0)
    } catch let error as TOMLParseError {
      throw TOMLError(line: max(1, error.source.begin.line), message: error.description)
    } catch {
      throw TOMLError(line: 1, message: "\(error)")
    }
  }

  private static func checkDepth(of text: String) throws(TOMLError) {
    var (line, marks) = (1, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "{"): marks += 1
      default: break
      }
      if marks > markLimit {
        throw TOMLError(line: line, message: "no settings have more than \(markLimit) dots and brackets")
      }
    }
  }

  /// What is deeper than any setting is not read.
  private static func entries(of table: TOMLTable, depth: Int) -> [String: SettingsTree] {
    var entries: [String: SettingsTree] = [:]
    // A key with a NUL in it is cut there, and finds nothing: it is no setting, and is named as one that is not known.
    for key in table.keys { entries[key] = table[key].map { tree($0, depth: depth) } ?? .table([:]) }
    return entries
  }

  private static func tree(_ value: any TOMLValueConvertible, depth: Int) -> SettingsTree {
    switch value.type {
    case .string: .text(value.string ?? "")
    case .int: .whole(value.int ?? 0)
    case .double: .number(value.double ?? 0)
    case .bool: .flag(value.bool ?? false)
    case .array: .list(value.array.map { $0.map(\.string) } ?? [])
    case .table: .table(depth < 1 ? value.table.map { entries(of: $0, depth: depth + 1) } ?? [:] : [:])
    case .date, .time, .dateTime: .time
    }
  }
}

/// Why a text is no TOML.
struct TOMLError: Error, Equatable {
  /// Where, counted from 1.
  let line: Int
  /// What is wrong.
  let message: String
}

/// What stands in a file of settings, before anybody has judged it.
package enum SettingsTree: Sendable, Equatable {
  case text(String)
  case whole(Int)
  case number(Double)
  case flag(Bool)
  /// A list; an element that is no text is `nil`.
  case list([String?])
  case table([String: SettingsTree])
  /// A date or a time.
  case time

  /// `value` as it would stand in a file.
  package init(_ value: SettingValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .whole(let number): self = .whole(number)
    case .number(let number): self = .number(number)
    case .flag(let isOn): self = .flag(isOn)
    case .list(let texts), .paths(let texts): self = .list(texts)
    }
  }

  /// What it is, as the end of a sentence; texts and numbers as they are.
  var description: String {
    switch self {
    case .text(let text): "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\""
    case .whole(let number): "\(number)"
    case .number(let number): "\(number)"
    case .flag(let isOn): "\(isOn)"
    case .list: "a list"
    case .table: "a table"
    case .time: "a date or a time"
    }
  }
}

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
  static func violation(in text: String) -> TOMLError? {
    var scanner = TOMLPrecondition(bytes: Array(text.utf8))
    return scanner.violation()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private mutating func violation() -> TOMLError? {
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
