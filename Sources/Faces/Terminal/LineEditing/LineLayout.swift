import CEditline

/// Where libedit puts a prompt and a line: the rows that they take, and the place behind their last character.
struct LineLayout: Equatable {
  /// The end of a row that is full, and behind which the text goes on.
  struct RowEnd: Equatable {
    /// Which row.
    let row: Int
    /// Whether its last cell is blank: libedit does not write that, and the terminal takes the row for a line of its
    /// own.
    let isBlank: Bool
    /// What the next row begins with, a blank where nothing does; `nil` where it stands for a character that cannot be
    /// shown.
    var next: Unicode.Scalar? = " "
  }

  private static let tab = 8

  /// How many cells a row has.
  let columns: Int
  /// The row of the next character, counted from that of the prompt.
  private(set) var row = 0
  /// Its cell in the row.
  private(set) var column = 0
  /// The rows that are full.
  private(set) var rowEnds: [RowEnd] = []

  /// Nothing, in rows of so many cells.
  init(columns: Int) { self.columns = max(1, columns) }

  /// Puts `text` behind what is there.
  mutating func append(_ text: some Sequence<Unicode.Scalar>) {
    for scalar in text {
      switch segue_el_cells(wchar_t(bitPattern: scalar.value)) {
      case -1: nextRow()
      case -2: repeat { put(1, of: " ") } while column % Self.tab != 0
      // The signs that stand for what cannot be shown are characters of their own.
      case let cells where cells > 2: for _ in 0..<cells { put(1, of: nil) }
      case let cells: put(Int(cells), of: scalar.value < 0x20 ? nil : scalar)
      }
    }
  }

  private mutating func put(_ cells: Int, of scalar: Unicode.Scalar?) {
    guard cells > 0 else { return }
    // What does not fit is never cut.
    if column + cells > columns { fillRow(isBlank: true) }
    if column == 0, rowEnds.last?.row == row - 1 { rowEnds[rowEnds.count - 1].next = scalar }
    column += cells
    if column >= columns { fillRow(isBlank: scalar == " ") }
  }

  private mutating func fillRow(isBlank: Bool) {
    rowEnds.append(RowEnd(row: row, isBlank: isBlank))
    nextRow()
  }

  private mutating func nextRow() {
    row += 1
    column = 0
  }
}
