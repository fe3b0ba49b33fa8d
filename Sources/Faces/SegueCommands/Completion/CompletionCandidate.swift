/// What the word that is being typed may become.
struct CompletionCandidate: Equatable {
  /// What it is called. Not yet safe for a terminal.
  let name: String
  /// What is typed to mean it.
  var text: String
  /// How well it answers.
  let rank: TypedBeginning.Rank
  /// What it is, where its name does not say that; may be empty.
  let note: String

  /// The candidate `name`, typed as `text` where that is something else.
  init(_ name: String, text: String? = nil, _ rank: TypedBeginning.Rank, note: String = "") {
    self.name = name
    self.text = text ?? name
    self.rank = rank
    self.note = note
  }
}
