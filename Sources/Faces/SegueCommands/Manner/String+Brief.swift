import UnicodeText

extension String {
  /// What is quoted of a user's words in an error, which is to be one line: their beginning, where they are very many.
  var brief: String { truncated(toCells: 120) }
}
