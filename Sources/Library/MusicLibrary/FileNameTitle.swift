/// What a file's name says of its track: "03 Title", "03 - Title", "03. Title", "03_Title", "1-03 Title".
struct FileNameTitle: Sendable, Hashable {
  /// The name without the number before it.
  var title: String
  /// The number of the track, 0 to 999.
  var number: Int?
  /// The number of the disc, 1 to 99.
  var disc: Int?
  /// Whether the name alone says that the number is the track's: it has a zero before it or a disc, or more than a
  /// point and a space behind it. "99 Luftballons" and "5. Sinfonie" may begin with a number of their own.
  var isCertain = false

  /// Reads a name without its suffix. A number that nothing follows, or that has more than three digits, is part
  /// of the title.
  init(_ stem: String) {
    title = stem
    var rest = stem[...]
    let hasZero = rest.first == "0"
    guard var number = Self.takeNumber(&rest, digits: 3) else { return }
    var disc: Int?
    if number > 0, number < 100, rest.first == "-" || rest.first == "." {
      var afterDisc = rest.dropFirst()
      if let second = Self.takeNumber(&afterDisc, digits: 3), Self.isSeparator(afterDisc.first) {
        disc = number
        number = second
        rest = afterDisc
      }
    }
    guard Self.isSeparator(rest.first) else { return }
    let title = rest.drop { Self.isSeparator($0) }
    guard !title.isEmpty else { return }
    self.title = String(title)
    self.number = number
    self.disc = disc
    isCertain =
      hasZero || disc != nil || rest[..<title.startIndex].contains { $0 != " " && $0 != "." }
  }

  private static func takeNumber(_ text: inout Substring, digits limit: Int) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= limit, let number = Int(digits) else { return nil }
    text = text.dropFirst(digits.count)
    return number
  }

  private static func isSeparator(_ character: Character?) -> Bool {
    guard let character else { return false }
    return " -._–—)".contains(character)
  }
}
