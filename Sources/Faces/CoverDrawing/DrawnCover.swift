import CCoverDrawing

/// A cover as a terminal shows it.
public struct DrawnCover: Sendable, Hashable {
  /// What the terminal is sent.
  public enum Content: Sendable, Hashable {
    /// Rows of characters with their colours.
    case rows([String])
    /// A picture, at the cursor.
    case image(String)
  }

  /// The most bytes that a picture may have before it is decoded.
  public static let sizeLimit = 16 << 20
  private static let limits = CCoverLimits(jpegPixels: 36_000_000, pngPixels: 16_777_216, edge: 640)

  /// What the terminal is sent.
  public let content: Content
  /// The cells that it fills in a row.
  public let columns: Int
  /// The rows that it fills.
  public let rows: Int

  /// A cover that was drawn already.
  public init(content: Content, columns: Int, rows: Int) {
    self.content = content
    self.columns = columns
    self.rows = rows
  }

  /// The picture in `bytes`, JPEG or PNG, drawn on `canvas`; `nil` where it is none, damaged or larger than a cover
  /// ever is, and where the libraries are missing.
  ///
  /// It loads the libraries when it is first called, and takes milliseconds at the least: for a thread of its own.
  public init?(_ bytes: [UInt8], on canvas: CoverCanvas) {
    guard bytes.count <= Self.sizeLimit,
      let picture = unsafe bytes.withUnsafeBufferPointer({ bytes in
        unsafe bytes.baseAddress.flatMap { unsafe CCoverPictureDecode($0, bytes.count, Self.limits) }
      })
    else { return nil }
    defer { unsafe CCoverPictureFree(picture) }
    (columns, rows) = unsafe canvas.cells(
      width: Int(picture.pointee.width), height: Int(picture.pointee.height))
    let cells = CCoverCanvas(
      columns: Int32(columns), rows: Int32(rows), cellWidth: Int32(canvas.cellWidth),
      cellHeight: Int32(canvas.cellHeight), graphics: canvas.graphics.code, colours: canvas.colours.code)
    var count = 0
    guard let drawn = unsafe CCoverPictureDraw(picture, cells, &count) else { return nil }
    defer { unsafe CCoverBytesFree(drawn) }
    let text = unsafe String(
      decoding: UnsafeRawBufferPointer(start: drawn, count: count), as: UTF8.self)
    if canvas.graphics == .symbols {
      content = .rows(text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init))
    } else {
      content = .image(text)
    }
  }
}

extension TerminalGraphics {
  fileprivate var code: Int32 {
    switch self {
    case .symbols: Int32(CCoverSymbols)
    case .sixels: Int32(CCoverSixels)
    case .kitty: Int32(CCoverKitty)
    case .iTerm2: Int32(CCoverITerm2)
    }
  }
}

extension TerminalColours {
  fileprivate var code: Int32 {
    switch self {
    case .sixteen: Int32(CCoverIndexed16)
    case .indexed256: Int32(CCoverIndexed256)
    case .trueColour: Int32(CCoverTrueColour)
    }
  }
}

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
