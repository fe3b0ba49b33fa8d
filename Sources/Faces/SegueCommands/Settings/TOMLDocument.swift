import TOMLKit

/// A file of settings as TOML. Nothing else names the parser.
///
/// What the parser takes to the end of the process, it never gives back: some hundred bytes a key.
enum TOMLDocument {
  /// Why a text is no TOML.
  struct Failure: Error, Equatable {
    /// Where, counted from 1.
    let line: Int
    /// What is wrong.
    let message: String
  }

  /// The most marks that open something, or go one deeper: the parser calls itself once for each, and the stack has an
  /// end.
  static let markLimit = 2_000

  /// What stands in `text`.
  static func parse(_ text: String) throws(Failure) -> [String: SettingsTree] {
    try checkDepth(of: text)
    if let violation = TOMLPrecondition.violation(in: text) { throw violation }
    do {
      return entries(of: try TOMLTable(string: text), depth: 0)
    } catch let error as TOMLParseError {
      throw Failure(line: max(1, error.source.begin.line), message: error.description)
    } catch {
      throw Failure(line: 1, message: "\(error)")
    }
  }

  private static func checkDepth(of text: String) throws(Failure) {
    var (line, marks) = (1, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "{"): marks += 1
      default: break
      }
      if marks > markLimit {
        throw Failure(line: line, message: "no settings have more than \(markLimit) dots and brackets")
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
