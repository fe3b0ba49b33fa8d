// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials

/// Encodes values as JSON for `--json`: one line, without characters that could harm a terminal.
package enum JSONText {
  /// The version of the schema, which every object contains. It is raised when a key is removed or changes its meaning,
  /// but not when a key is added.
  package static let version = 1

  /// Returns an object as one line, or `nil` if it cannot be encoded.
  package static func text(_ object: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Versioned(object: object)) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    // The encoder has escaped the control characters below U+007F, and most lines have nothing else to escape.
    guard data.contains(where: { $0 >= 0x7F }) else { return text }
    let scalars = text.unicodeScalars
    var line = ""
    var start = scalars.startIndex
    for index in scalars.indices where scalars[index].value >= 0x7F && !isHarmless(scalars[index]) {
      line += String(scalars[start..<index])
      for unit in UTF16.encode(scalars[index]) ?? .init() { line += escape(unit) }
      start = scalars.index(after: index)
    }
    return line + String(scalars[start...])
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

extension JSONText {
  /// An object with the schema version added to its keys.
  private struct Versioned<Object: Encodable>: Encodable {
    private enum Key: CodingKey {
      case version
    }

    let object: Object

    func encode(to encoder: any Encoder) throws {
      try object.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(JSONText.version, forKey: .version)
    }
  }
}
