import FoundationEssentials

/// A value as JSON for `--json`: one line, in which nothing can do harm on a terminal.
enum JSONText {
  /// The line, or `nil` where the value has no JSON.
  static func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return nil }
    var line = ""
    for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
      if isHarmless(scalar) {
        line.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() { line += escape(unit) }
      }
    }
    return line
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
