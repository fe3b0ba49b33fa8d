import FoundationEssentials

/// A value as JSON on one line, as Segue's own words of the protocol tell it.
enum JSONLine {
  /// The line without its end; an empty object where the value has no JSON.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// The value in `line`; `nil` where it is none of this type.
  static func value<Value: Decodable>(_ line: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }
}
