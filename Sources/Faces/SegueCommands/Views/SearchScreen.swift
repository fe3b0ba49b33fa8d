import MusicModel
import Platform
import UnicodeText

/// What the search view shows: lines that fit the terminal, made of what the view model puts out and of what is chosen.
struct SearchScreen: Equatable {
  /// The lines from the top; none has more cells than the terminal has columns.
  let lines: [String]

  private static let keys = " choose  Enter play  Tab add  Esc leave"
  private static let prompt = "/ "

  /// The screen for a terminal of `size`, in which `text` is being typed and the row `selection` is chosen; `notice` is
  /// what the user was told last. The chosen row has the style of a title. Keys are words where `isASCII`.
  init(
    _ output: ListOutput<SearchHit>, text: String, selection: Int, filters: String?, notice: String? = nil,
    size: TerminalSize, palette: Palette = .plain, isASCII: Bool = false
  ) {
    let head =
      [Self.prompt + text.safeForTerminal + "▏"] + (filters.map { ["  \($0.safeForTerminal)"] } ?? [])
    let note = (notice ?? output.note).map { "  \($0.safeForTerminal)" } ?? ""
    let foot = [note, (isASCII ? "  up/down" : "  ↑/↓") + Self.keys]
    let room = max(0, size.rows - head.count - foot.count)
    let rows = output.rows.map { $0.cells.map(\.safeForTerminal) }
    let table = SearchHit.table.lines(rows, columns: max(0, size.columns - 2))
    // As far down as the chosen row needs, so that it is always in sight.
    let first = max(0, min(selection, rows.count - 1) - max(0, room - 1))
    let body = table.enumerated().dropFirst(first).prefix(room).map { index, line in
      (index == selection ? "> " : "  ") + line
    }
    let chosen = head.count + selection - first
    lines = (head + body + foot).prefix(size.rows).enumerated().map { row, line in
      let line = line.truncated(toCells: size.columns)
      return row == chosen && !body.isEmpty ? palette[.title].applied(to: line) : line
    }
  }
}
