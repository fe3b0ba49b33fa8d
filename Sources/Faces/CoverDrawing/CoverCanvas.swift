/// How a terminal shows pictures.
public enum TerminalGraphics: Sendable, Hashable {
  /// Characters of which each shows two pixels.
  case symbols
  /// DEC's sixels.
  case sixels
  /// The graphics protocol of kitty.
  case kitty
  /// The inline images of iTerm2.
  case iTerm2
}

/// The colours of a terminal.
public enum TerminalColours: Sendable, Hashable {
  /// The sixteen of ECMA-48 terminals.
  case sixteen
  /// xterm's palette.
  case indexed256
  /// All.
  case trueColour
}

/// Where on a terminal a picture is drawn: as large as fits into so many cells.
public struct CoverCanvas: Sendable, Hashable {
  /// The most cells in a row; at least 1.
  public let columns: Int
  /// The most rows; at least 1.
  public let rows: Int
  /// How the terminal shows pictures.
  public let graphics: TerminalGraphics
  /// In which colours it shows characters.
  public let colours: TerminalColours
  /// The pixels of a cell.
  public let cellWidth: Int
  /// The pixels of a cell.
  public let cellHeight: Int

  /// The cells that a picture fills at most: far more than one is given.
  private static let limit = 400
  private static let cellLimit = 64

  /// A place of this size; a cell of unknown size counts as 10 by 20 pixels.
  public init(
    columns: Int, rows: Int, graphics: TerminalGraphics, colours: TerminalColours, cellWidth: Int = 10,
    cellHeight: Int = 20
  ) {
    self.columns = min(max(1, columns), Self.limit)
    self.rows = min(max(1, rows), Self.limit)
    self.graphics = graphics
    self.colours = colours
    let isPlausible = (2...Self.cellLimit).contains(cellWidth) && (4...Self.cellLimit).contains(cellHeight)
    self.cellWidth = isPlausible ? cellWidth : 10
    self.cellHeight = isPlausible ? cellHeight : 20
  }

  /// The cells of a picture of so many pixels: the most that keep its proportions.
  func cells(width: Int, height: Int) -> (columns: Int, rows: Int) {
    let share = Double(width) / Double(max(1, height)) * Double(cellHeight) / Double(cellWidth)
    let wide = Double(rows) * share
    if wide <= Double(columns) { return (max(1, Int(wide.rounded())), rows) }
    return (columns, max(1, min(rows, Int((Double(columns) / share).rounded()))))
  }
}
