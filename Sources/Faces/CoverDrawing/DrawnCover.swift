// SPDX-License-Identifier: GPL-3.0-or-later

import CCoverDrawing

/// A cover in the form that a terminal displays.
public struct DrawnCover: Sendable, Hashable {
  /// The output for the terminal.
  public enum Content: Sendable, Hashable {
    /// Rows of characters with their colours.
    case rows([String])
    /// A picture, at the cursor.
    case image(String)
  }

  /// The maximum size of an undecoded picture in bytes.
  public static let sizeLimit = 16 << 20
  private static let limits = CCoverLimits(jpegPixels: 36_000_000, pngPixels: 16_777_216, edge: 640)

  /// The output for the terminal.
  public let content: Content
  /// The width in cells.
  public let columns: Int
  /// The height in rows.
  public let rows: Int

  /// Creates a cover that has been drawn already.
  public init(content: Content, columns: Int, rows: Int) {
    self.content = content
    self.columns = columns
    self.rows = rows
  }

  /// Draws the JPEG or PNG picture in `bytes` on `canvas`; `nil` if it is no such picture, damaged, or larger than any
  /// cover, or if the libraries are missing.
  ///
  /// It loads the libraries on first use, and takes at least milliseconds: run it on its own thread.
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

/// The way in which a terminal displays pictures.
public enum TerminalGraphics: Sendable, Hashable {
  /// Characters, each of which shows two pixels.
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
  /// The sixteen colours of ECMA-48 terminals.
  case sixteen
  /// xterm's palette of 256 colours.
  case indexed256
  /// 24-bit colours.
  case trueColour
}

/// The area of a terminal in which a picture is drawn, as large as fits.
public struct CoverCanvas: Sendable, Hashable {
  /// The maximum width in cells; at least 1.
  public let columns: Int
  /// The maximum height in rows; at least 1.
  public let rows: Int
  /// The way in which the terminal displays pictures.
  public let graphics: TerminalGraphics
  /// The colours of its characters.
  public let colours: TerminalColours
  /// The width of a cell in pixels.
  public let cellWidth: Int
  /// The height of a cell in pixels.
  public let cellHeight: Int

  /// The maximum width and height in cells, far beyond any real canvas.
  private static let limit = 400
  private static let cellLimit = 64

  /// Creates an area of this size; a cell of unknown size counts as 10 by 20 pixels.
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

  /// Returns the largest size in cells for a picture of this size in pixels that keeps its aspect ratio.
  func cells(width: Int, height: Int) -> (columns: Int, rows: Int) {
    let share = Double(width) / Double(max(1, height)) * Double(cellHeight) / Double(cellWidth)
    let wide = Double(rows) * share
    if wide <= Double(columns) { return (max(1, Int(wide.rounded())), rows) }
    return (columns, max(1, min(rows, Int((Double(columns) / share).rounded()))))
  }
}
