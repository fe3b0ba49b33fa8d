/// A position as the user writes it, counted from 1.
struct PositionNumber: Equatable {
  /// The number, at least 1.
  let value: Int

  /// Understands `text`; `nil` where it is not a number from 1. What is too large to be counted is the largest number.
  init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = Int(text) ?? .max
    guard number > 0 else { return nil }
    value = number
  }
}
