/// The manner as one word, in which a command tells it to the player that obeys it.
extension TerminalManner {
  private static var letters: [(Character, WritableKeyPath<TerminalManner, Bool>)] {
    [("p", \.isPlain), ("d", \.draws), ("c", \.hasColours), ("t", \.isTerminal), ("a", \.isASCII)]
  }

  /// A letter for each thing that is true, and `q` or `v` for how much is said; "-" for none.
  var code: String {
    let letters = Self.letters.filter { self[keyPath: $0.1] }.map { String($0.0) }.joined()
    let code = letters + (verbosity.map { String($0.rawValue.prefix(1)) } ?? "")
    return code.isEmpty ? "-" : code
  }

  /// The manner that `code` means; letters that are not known mean nothing.
  init(code: String) {
    self.init()
    for (letter, path) in Self.letters { self[keyPath: path] = code.contains(letter) }
    verbosity = Verbosity.allCases.first { code.contains($0.rawValue.prefix(1)) }
  }
}
