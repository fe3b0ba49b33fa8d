/// What a text is sorted by, so that people find it: folded, with numbers by their value ("2" before "10").
///
/// Making a key costs more than comparing two: make one a text, then sort. Texts that fold alike are told apart
/// by their own bytes, so that equal keys mean equal texts.
public struct NaturalSortKey: Sendable, Hashable, Comparable {
  /// Folded, each number preceded by a "0" and the count of its digits: comparing bytes compares numbers.
  public let bytes: [UInt8]
  private let original: [UInt8]

  /// The key of `text`.
  public init(_ text: String) {
    original = Array(text.utf8)
    let folded = Array(text.foldedForMatching.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(folded.count + 4)
    var index = folded.startIndex
    while index < folded.endIndex {
      guard folded[index].isDigit else {
        bytes.append(folded[index])
        index += 1
        continue
      }
      let end = folded[index...].firstIndex { !$0.isDigit } ?? folded.endIndex
      let digits = folded[index..<end].drop { $0 == UInt8(ascii: "0") }
      bytes.append(UInt8(ascii: "0"))
      bytes.append(UInt8(clamping: digits.count))
      bytes.append(contentsOf: digits)
      index = end
    }
    self.bytes = bytes
  }

  /// Whether `left` is sorted before `right`.
  public static func < (left: NaturalSortKey, right: NaturalSortKey) -> Bool {
    if left.bytes != right.bytes { return left.bytes.lexicographicallyPrecedes(right.bytes) }
    return left.original.lexicographicallyPrecedes(right.original)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
