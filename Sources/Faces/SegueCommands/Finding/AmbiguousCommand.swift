/// The words of a command of which one means several things.
struct AmbiguousCommand {
  private let words: [[UInt8]]
  private let text: String
  private let answers: [String]

  /// The command of these `words`, byte for byte, which ended with `error`; `nil` where nothing can be chosen.
  init?(_ words: [[UInt8]], _ error: CommandError) {
    guard let text = error.ambiguousText, !error.answers.isEmpty,
      words.dropFirst().contains(where: { Self.isWord($0, text) })
    else { return nil }
    self.words = words
    self.text = text
    answers = error.answers
  }

  /// How many meanings there are to choose from.
  var count: Int { answers.count }

  /// The words where the meaning with this `number`, counted from 1, is chosen; `nil` where there is none.
  func words(choosing number: Int) -> [[UInt8]]? {
    guard (1...answers.count).contains(number) else { return nil }
    var words = words
    if let index = words.dropFirst().firstIndex(where: { Self.isWord($0, text) }) {
      words[index] = Array(answers[number - 1].utf8)
    }
    return words
  }

  private static func isWord(_ bytes: [UInt8], _ text: String) -> Bool {
    String(decoding: bytes, as: UTF8.self) == text
  }
}
