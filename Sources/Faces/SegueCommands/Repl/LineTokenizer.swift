/// Splits a line into words as a shell does: at white space, but not within '…' or "…", nor behind a backslash.
enum LineTokenizer {
  /// Why a line cannot be split.
  enum Failure: Error, Equatable {
    /// A quotation mark has no partner.
    case unterminated(Character)
  }

  /// The words of `line`; none for a line that is empty or begins with `#`.
  static func words(_ line: String) throws(Failure) -> [String] {
    let scanner = LineScanner(line[...])
    if scanner.isComment { return [] }
    if let quote = scanner.quote { throw .unterminated(quote) }
    // A backslash at the end quotes nothing.
    let last = scanner.last.map { [scanner.isEscaped ? $0.text + "\\" : $0.text] } ?? []
    return scanner.words.map(\.text) + last
  }
}
