/// How the value of a sticker is compared.
public enum StickerMatch: Sendable, Hashable {
  /// As texts, by their bytes: equal, before, or behind.
  case equals(String)
  /// It comes before, by its bytes.
  case before(String)
  /// It comes behind, by its bytes.
  case behind(String)
  /// It has the text in it.
  case contains(String)
  /// It begins with the text.
  case begins(String)
  /// It is this number.
  case isNumber(Int64)
  /// It is a number below this one.
  case below(Int64)
  /// It is a number above this one.
  case above(Int64)

  /// The condition on `sticker.value`, with a parameter for the value.
  func condition(_ arguments: inout QueryArguments) -> String {
    // What is no number is 0 as one.
    let number = "CAST(sticker.value AS INTEGER)"
    switch self {
    case .equals(let text): return "sticker.value = \(arguments.add(text))"
    case .before(let text): return "sticker.value < \(arguments.add(text))"
    case .behind(let text): return "sticker.value > \(arguments.add(text))"
    case .contains(let text): return "instr(sticker.value, \(arguments.add(text))) > 0"
    case .begins(let text): return "instr(char(31) || sticker.value, \(arguments.add("\u{1F}" + text))) = 1"
    case .isNumber(let value): return "\(number) = \(arguments.add(value))"
    case .below(let value): return "\(number) < \(arguments.add(value))"
    case .above(let value): return "\(number) > \(arguments.add(value))"
    }
  }
}
