/// What may stand before a colon in a query.
enum LibraryQueryField: Hashable {
  case text(LibraryQuery.TextField)
  case number(LibraryQuery.NumberField)
  case added

  /// All of them, by name.
  static let all: [String: LibraryQueryField] = {
    var all: [String: LibraryQueryField] = ["added": .added]
    for field in LibraryQuery.TextField.allCases { all[field.rawValue] = .text(field) }
    for field in LibraryQuery.NumberField.allCases { all[field.rawValue] = .number(field) }
    return all
  }()

  /// The names of all of them, for a message.
  static var names: String { all.keys.sorted().joined(separator: ", ") }

  /// Words by which other programs call some of them.
  private static let synonyms = ["date": "year", "length": "duration", "samplerate": "rate"]

  /// The field that is meant by a word that is none; `nil` where it is unlike any.
  ///
  /// It may differ by two letters where it has five or more, by one where it has three or four, and by none where it is
  /// shorter: "Re:Zero" asks for no rate.
  static func suggestion(for word: String) -> String? {
    if let field = synonyms[word] { return field }
    let letters = Array(word.utf8)
    guard (3...14).contains(letters.count) else { return nil }
    let tolerance = letters.count < 5 ? 1 : 2
    let distances = all.keys.map { (distance(letters, Array($0.utf8)), $0) }
    return distances.filter { $0.0 <= tolerance }.min { $0 < $1 }?.1
  }

  /// How many letters must be changed, put in or taken out to make one word of the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let substitution = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
