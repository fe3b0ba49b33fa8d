/// The key that completes: pressed a second time where nothing could be put in, it shows what there is to choose from.
struct CompletionKey {
  /// What a press does.
  enum Effect: Equatable {
    /// Puts something in the place of what stands around the cursor.
    case insert(String, countBefore: Int, countBehind: Int)
    /// Shows these names.
    case list([String])
    /// Nothing but a sound.
    case refuse
  }

  private var last: (line: String, place: Int)?

  /// A press where `completion` was found for `line` with the cursor at `place`.
  mutating func press(_ completion: LineCompletion, line: String, place: Int) -> Effect {
    let isSecond = last.map { $0 == (line, place) } ?? false
    last = nil
    if let text = completion.insertion {
      return .insert(text, countBefore: completion.countBefore, countBehind: completion.countBehind)
    }
    if completion.choices.count < 2 { return .refuse }
    if isSecond { return .list(completion.choices) }
    last = (line, place)
    return .refuse
  }
}
