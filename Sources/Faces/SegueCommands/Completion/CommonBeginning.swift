import UnicodeText

/// What several names have in common.
enum CommonBeginning {
  /// The longest beginning of the first of `names` that all have, without regard to case, accents and width.
  static func of(_ names: [String]) -> String {
    guard var common = names.first.map({ Array($0) }) else { return "" }
    for name in names.dropFirst() {
      let count = zip(common, name).prefix { isSame($0, $1) }.count
      common.removeLast(common.count - count)
    }
    return String(common)
  }

  private static func isSame(_ left: Character, _ right: Character) -> Bool {
    if left == right { return true }
    let folded = String(left).foldedForMatching
    return !folded.isEmpty && folded == String(right).foldedForMatching
  }
}
