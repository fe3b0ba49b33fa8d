// SPDX-License-Identifier: GPL-3.0-or-later

/// One slip of a finger in a word: a letter that is wrong, missing, or too many, or two letters that are swapped.
public enum TypingSlip {
  /// The length of the shortest words in which slips are looked for.
  private static let shortestWord = 5

  /// Whether a slip may be looked for in `word`, the folded letters of a word: it has at least five, and no digit.
  public static func isPossible(in word: [Unicode.Scalar]) -> Bool {
    word.count >= shortestWord && word.allSatisfy(\.isLetterInWord)
  }

  /// Whether one slip, and no less, turns one word into the other. A digit is never one.
  public static func separates(_ one: some Collection<Unicode.Scalar>, _ other: some Collection<Unicode.Scalar>) -> Bool
  {
    let (one, other) = (Array(one), Array(other))
    guard abs(one.count - other.count) <= 1 else { return false }
    let limit = min(one.count, other.count)
    var start = 0
    while start < limit, one[start] == other[start] { start += 1 }
    var end = 0
    while end < limit - start, one[one.count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    let (left, right) = (one[start..<one.count - end], other[start..<other.count - end])
    guard (left + right).allSatisfy(\.isLetterInWord) else { return false }
    switch (left.count, right.count) {
    case (1, 0), (0, 1), (1, 1): return true
    case (2, 2): return left.first == right.last && left.last == right.first
    default: return false
    }
  }

  /// Returns every word that a slip within the first `count` letters of `word` may have turned into it, in the alphabet
  /// of its first letter. Of a script that is none of Latin, Greek, Cyrillic, Hebrew and Arabic, only those with the
  /// same letters.
  public static func originals(of word: [Unicode.Scalar], within count: Int) -> Set<String> {
    var found: Set<String> = []
    func add(_ letters: [Unicode.Scalar]) { found.insert(String(String.UnicodeScalarView(letters))) }
    let alphabet = word.first.map(alphabet) ?? []
    for index in word.indices.prefix(count) {
      var changed = word
      for letter in alphabet {
        changed[index] = letter
        add(changed)
        add(word[..<index] + [letter] + word[index...])
      }
      changed = word
      changed.remove(at: index)
      add(changed)
      if index + 1 < word.count {
        changed = word
        changed.swapAt(index, index + 1)
        add(changed)
      }
    }
    found.remove(String(String.UnicodeScalarView(word)))
    return found
  }

  /// Returns the folded letters of the script to which `letter` belongs.
  private static func alphabet(of letter: Unicode.Scalar) -> [Unicode.Scalar] {
    let alphabets: [ClosedRange<UInt32>] = [
      0x61...0x7A, 0x3B1...0x3C9, 0x430...0x45F, 0x5D0...0x5EA, 0x621...0x64A,
    ]
    return alphabets.first { $0.contains(letter.value) }?.compactMap { Unicode.Scalar($0) } ?? []
  }
}
