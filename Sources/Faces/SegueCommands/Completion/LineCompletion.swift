/// How a line may go on at the cursor.
struct LineCompletion: Equatable {
  /// How many Unicode scalars before the cursor give way.
  var countBefore = 0
  /// How many behind it do: one, where the word's quotation mark is there already.
  var countBehind = 0
  /// What takes their place; `nil` where that is not clear yet.
  var insertion: String?
  /// What there is to choose from, best first. Not yet safe for a terminal.
  var choices: [String] = []
}
