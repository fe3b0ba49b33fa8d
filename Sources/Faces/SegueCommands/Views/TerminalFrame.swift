import CoverDrawing
import Platform

/// What a terminal shows: lines from its top, and beside them, at their left, a cover; no line is wider than what that
/// leaves.
struct TerminalFrame: Equatable {
  private static let home = "\u{1B}[H"
  private static let clearAll = "\u{1B}[2J"
  private static let clearRight = "\u{1B}[K"
  private static let plain = "\u{1B}[0m"
  /// The empty columns between cover and lines.
  private static let gap = 1

  var lines: [String]
  var cover: DrawnCover?
  /// How large the terminal is: in one of another size, nothing is where it was.
  let size: TerminalSize

  /// The cells of a line that `cover` takes.
  static func margin(of cover: DrawnCover?) -> Int { cover.map { $0.columns + gap } ?? 0 }

  /// What makes this of `earlier`, which the terminal shows, or of whatever it shows where that is `nil`; `nil` where
  /// nothing changes.
  func text(after earlier: TerminalFrame?) -> String? {
    if self == earlier { return nil }
    let known = earlier?.size == size && earlier?.cover == cover ? earlier?.lines : nil
    var text = known == nil ? Self.home + Self.clearAll + coverText : ""
    for (row, line) in lines.enumerated()
    where known == nil || row >= (known?.count ?? 0) || known?[row] != line {
      // Behind a line as wide as the terminal the cursor still stands on its last cell: so it is cleared ahead of the
      // text.
      text += Self.place(row, Self.margin(of: cover)) + Self.clearRight + line
    }
    for row in lines.count..<max(lines.count, known?.count ?? 0) {
      text += Self.place(row, Self.margin(of: cover)) + Self.clearRight
    }
    return text
  }

  private var coverText: String {
    switch cover?.content {
    case nil: ""
    case .image(let image): image + Self.plain
    case .rows(let rows):
      rows.enumerated().map { Self.place($0, 0) + $1 + Self.plain }.joined()
    }
  }

  /// Puts the cursor at a cell of `row`; both count from 0.
  private static func place(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}
