/// A disc's number at the end of a name: "CD1", "Disc 2 - Live", "The Wall (Disc 1)", "The Wall CD 2".
struct DiscSuffix: Sendable, Hashable {
  /// What stands before it, "" where the name is nothing else.
  let base: String
  /// The number, 1 to 99.
  let number: Int

  /// The disc that a directory's name ends with; a name that begins with a disc may go on with its title.
  init?(directory name: String) {
    self.init(name, isTitle: false)
  }

  /// The disc that an album's title ends with, set apart by a bracket, a comma or a dash: "The Wall (Disc 1)".
  init?(title: String) {
    self.init(title, isTitle: true)
    if base.isEmpty { return nil }
  }

  private init?(_ name: String, isTitle: Bool) {
    // The words are ASCII and so are most names: bytes are enough, and a cut beside ASCII is a cut between letters.
    let bytes = Array(name.utf8)
    let lower = bytes.map { ($0 >= 0x41 && $0 <= 0x5A) ? $0 | 0x20 : $0 }
    for word in Self.words {
      guard lower.count > word.count else { continue }
      for start in 0..<(lower.count - word.count) where lower[start...].starts(with: word) {
        var end = start + word.count
        while end < lower.count, Self.separators.contains(lower[end]) { end += 1 }
        let digits = lower[end...].prefix { (0x30...0x39).contains($0) }
        guard (1...2).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
          number > 0
        else { continue }
        let rest = lower[digits.endIndex...]
        let before = bytes[..<start]
        let base = before.reversed().drop { Self.separators.contains($0) || Self.openings.contains($0) }
        if base.isEmpty {
          guard rest.first.map({ Self.separators.contains($0) || Self.closings.contains($0) }) ?? true else {
            continue
          }
        } else {
          guard rest.allSatisfy({ Self.closings.contains($0) || $0 == 0x20 }),
            base.count < before.count,
            !isTitle || before.dropFirst(base.count).contains(where: { $0 != 0x20 })
          else { continue }
        }
        self.base = String(decoding: base.reversed(), as: UTF8.self)
        self.number = number
        return
      }
    }
    return nil
  }

  private static let words = ["disc", "disk", "cd"].map { Array($0.utf8) }
  private static let separators = Set(" -_.,:#".utf8)
  private static let openings = Set("([{".utf8)
  private static let closings = Set(")]}".utf8)
}
