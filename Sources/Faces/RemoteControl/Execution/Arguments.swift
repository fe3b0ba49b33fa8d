/// The arguments of a command, and what they mean.
struct Arguments: Sendable {
  /// The words themselves.
  let words: [String]

  /// How many there are.
  var count: Int { words.count }

  /// The word at `index`, which the command has.
  subscript(index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// The words from `index` on.
  func dropFirst(_ index: Int) -> [String] { Array(words.dropFirst(index)) }

  /// The word at `index`, where there is one.
  func optional(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

  /// The whole number at `index`.
  func integer(_ index: Int) throws(ProtocolError) -> Int {
    let text = self[index]
    guard let number = Int(text) else {
      throw ProtocolError(.argument, "Integer expected: \(text)")
    }
    return number
  }

  /// The number from 0 on at `index`.
  func unsigned(_ index: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard number >= 0 else { throw ProtocolError(.argument, "Number is negative: \(number)") }
    return number
  }

  /// The number from 0 to `limit` at `index`.
  func unsigned(_ index: Int, upTo limit: Int) throws(ProtocolError) -> Int {
    let number = try integer(index)
    guard (0...max(0, limit)).contains(number) else {
      throw ProtocolError(.argument, "Number too large: \(number)")
    }
    return number
  }

  /// The switch at `index`: 0 or 1.
  func boolean(_ index: Int) throws(ProtocolError) -> Bool {
    switch self[index] {
    case "0": return false
    case "1": return true
    default: throw ProtocolError(.argument, "Boolean (0/1) expected: \(self[index])")
    }
  }

  /// The number at `index`, with a fraction.
  func number(_ index: Int) throws(ProtocolError) -> Double {
    guard let number = Double(self[index]), number.isFinite, abs(number) < 1e9 else {
      throw ProtocolError(.argument, "Float expected: \(self[index])")
    }
    return number
  }

  /// The seconds at `index`, with a fraction.
  func seconds(_ index: Int) throws(ProtocolError) -> Duration { .seconds(try number(index)) }

  /// The range at `index`: `START:END`, `START:` or a single number.
  func range(_ index: Int) throws(ProtocolError) -> ProtocolRange { try ProtocolRange(self[index]) }

  /// The range at `index`, or all where there is none.
  func rangeOrAll(_ index: Int) throws(ProtocolError) -> ProtocolRange {
    words.indices.contains(index) ? try range(index) : .all
  }
}
