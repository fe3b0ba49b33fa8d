import Platform
import UnicodeText

/// Lines of a screen, of which the most important stay where there are fewer rows.
struct ScreenPage {
  /// What a line is for, the most important first.
  enum Part: Int {
    case title
    case progress
    case notice
    case origin
    case levels
    case format
    case keys
    case next
    case modes
    case space

    /// Whose style it has.
    var role: Palette.Role? {
      switch self {
      case .title: .title
      case .origin: .artist
      case .progress, .levels: .progress
      case .next, .modes: .next
      case .keys: .keys
      case .notice: .error
      case .format, .space: nil
      }
    }
  }

  private let size: TerminalSize
  private var rows: [(part: Part, text: String)] = []

  /// An empty page for a terminal of `size`.
  init(size: TerminalSize) { self.size = size }

  /// Adds a line below those before, which is safe for a terminal.
  mutating func add(_ text: String, _ part: Part) { rows.append((part, text)) }

  /// As many lines as the terminal has rows at most; none wider than it; in the styles of `palette`.
  func lines(_ palette: Palette) -> [String] {
    let ranked = rows.indices.sorted { (rows[$0].part.rawValue, $0) < (rows[$1].part.rawValue, $1) }
    let kept = Set(ranked.prefix(max(0, size.rows)))
    return rows.indices.filter { kept.contains($0) }.map { index in
      let text = rows[index].text.truncated(toCells: size.columns)
      return rows[index].part.role.map { palette[$0].applied(to: text) } ?? text
    }
  }
}
