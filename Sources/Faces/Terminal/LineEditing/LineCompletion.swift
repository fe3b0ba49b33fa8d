import Platform
import UnicodeText

/// How a line may go on at the cursor.
package struct LineCompletion: Equatable {
  /// How many Unicode scalars before the cursor give way.
  var countBefore = 0
  /// How many behind it do: one, where the word's quotation mark is there already.
  var countBehind = 0
  /// What takes their place; `nil` where that is not clear yet.
  package var insertion: String?
  /// What there is to choose from, best first. Not yet safe for a terminal.
  var choices: [String] = []

  /// A completion of these parts; without any, nothing is to be put in or chosen from.
  package init(countBefore: Int = 0, countBehind: Int = 0, insertion: String? = nil, choices: [String] = []) {
    self.countBefore = countBefore
    self.countBehind = countBehind
    self.insertion = insertion
    self.choices = choices
  }
}

/// Says what the key that completes does. For the main thread.
package protocol LineCompleting: AnyObject {
  /// A new line is begun.
  func begin()

  /// The key was pressed in `line`, with the cursor at `cursor`.
  func press(_ line: String, cursor: String.Index) -> CompletionKey.Effect
}

/// The key that completes: pressed a second time where nothing could be put in, it shows what there is to choose from.
package struct CompletionKey {
  /// What a press does.
  package enum Effect: Equatable {
    /// Puts something in the place of what stands around the cursor.
    case insert(String, countBefore: Int, countBehind: Int)
    /// Shows these names.
    case list([String])
    /// Nothing but a sound.
    case refuse
  }

  private var last: (line: String, place: Int)?

  /// The key, which was not pressed yet.
  package init() {}

  /// A press where `completion` was found for `line` with the cursor at `place`.
  package mutating func press(_ completion: LineCompletion, line: String, place: Int) -> Effect {
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

/// Names to choose from, in columns.
enum CompletionListing {
  private static let gap = 2

  /// The lines for `names`, one below the other and then to the right, that fit into `size`; the last one tells how
  /// many are left out.
  static func lines(_ names: [String], in size: TerminalSize) -> [String] {
    // The line that is typed stays in sight.
    let room = max(1, size.rows - 3)
    let texts = names.map(\.safeForTerminal)
    let width = min(texts.map(\.cellWidth).max() ?? 0, size.columns)
    let columnCount = max(1, (size.columns + gap) / (width + gap))
    let rowCount = (texts.count + columnCount - 1) / columnCount
    let shown = rowCount > room ? texts.prefix(room * columnCount) : texts[...]
    let height = min(rowCount, room)
    var lines = (0..<height).map { row in
      let cells = stride(from: row, to: shown.count, by: height).map { shown[$0] }
      var line = cells.map { $0.padded(toCells: width) }.joined(separator: String(repeating: " ", count: gap))
      while line.last == " " { line.removeLast() }
      return line
    }
    if shown.count < texts.count { lines.append("… and \(texts.count - shown.count) more") }
    return lines
  }
}
