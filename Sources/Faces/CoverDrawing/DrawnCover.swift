// SPDX-License-Identifier: GPL-3.0-or-later

import CCoverDrawing

/// An album cover in the form that a terminal displays.
public struct DrawnCover: Sendable, Hashable {
  /// The terminal output that shows the cover.
  public enum Content: Sendable, Hashable {
    /// Lines of text characters and colour sequences, one string per row.
    case rows([String])
    /// One sequence that draws an image at the cursor.
    case image(String)
  }

  /// The maximum size in bytes of a picture file.
  public static let sizeLimit = 16 << 20
  private static let limits = CCoverLimits(jpegPixels: 36_000_000, pngPixels: 16_777_216, edge: 640)

  /// The terminal output that shows the cover.
  public let content: Content
  /// The width of the cover in cells.
  public let columns: Int
  /// The height of the cover in rows.
  public let rows: Int
  /// The colour that stands out; `nil` if the picture is grey, or not known.
  public let accent: AccentColour?

  /// Creates a cover from terminal output that already exists.
  public init(content: Content, columns: Int, rows: Int, accent: AccentColour? = nil) {
    self.content = content
    self.columns = columns
    self.rows = rows
    self.accent = accent
  }

  /// Decodes the JPEG or PNG picture in `bytes` and draws it on `canvas`. Returns `nil` if the picture is damaged, too
  /// large or in another format, or if the libraries for pictures are not installed.
  ///
  /// The libraries are loaded on first use, and drawing takes milliseconds or longer, so call this on a separate
  /// thread.
  public init?(_ bytes: [UInt8], on canvas: CoverCanvas) {
    guard bytes.count <= Self.sizeLimit,
      let picture = unsafe bytes.withUnsafeBufferPointer({ bytes in
        unsafe bytes.baseAddress.flatMap { unsafe CCoverPictureDecode($0, bytes.count, Self.limits) }
      })
    else { return nil }
    defer { unsafe CCoverPictureFree(picture) }
    (columns, rows) = unsafe canvas.cells(
      width: Int(picture.pointee.width), height: Int(picture.pointee.height))
    accent = unsafe AccentColour(
      pixels: UnsafeBufferPointer(
        start: picture.pointee.pixels, count: Int(picture.pointee.width) * Int(picture.pointee.height) * 4))
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

/// The method by which a terminal displays pictures.
public enum TerminalGraphics: Sendable, Hashable {
  /// Block characters, each of which shows four pixels in two colours; two where there are only 16 colours.
  case symbols
  /// Sixel graphics (DEC).
  case sixels
  /// The kitty graphics protocol.
  case kitty
  /// The inline image protocol of iTerm2.
  case iTerm2
}

/// The colours that a terminal can display.
public enum TerminalColours: Sendable, Hashable {
  /// The 16 colours of ECMA-48 terminals.
  case sixteen
  /// The 256-colour palette of xterm.
  case indexed256
  /// 24-bit colours.
  case trueColour
}

/// The area of a terminal into which a picture is fitted, keeping its aspect ratio.
public struct CoverCanvas: Sendable, Hashable {
  /// The maximum width in cells; at least 1.
  public let columns: Int
  /// The maximum height in rows; at least 1.
  public let rows: Int
  /// The method by which the terminal displays pictures.
  public let graphics: TerminalGraphics
  /// The colours that the terminal can display.
  public let colours: TerminalColours
  /// The width of a cell in pixels.
  public let cellWidth: Int
  /// The height of a cell in pixels.
  public let cellHeight: Int

  /// The maximum width and height of a canvas in cells, to which larger ones are reduced. Real terminals are far
  /// smaller.
  private static let limit = 400
  /// The maximum plausible width and height of a cell in pixels.
  private static let cellLimit = 64

  /// Creates an area of this size. If the size of a cell is not plausible, 10 by 20 pixels are assumed.
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

  /// Returns the largest size in cells that a picture of `width` by `height` pixels can have on this canvas while
  /// keeping its aspect ratio.
  func cells(width: Int, height: Int) -> (columns: Int, rows: Int) {
    // The aspect ratio of the picture in cells.
    let ratio = Double(width) / Double(max(1, height)) * Double(cellHeight) / Double(cellWidth)
    let fullHeightColumns = Double(rows) * ratio
    if fullHeightColumns <= Double(columns) { return (max(1, Int(fullHeightColumns.rounded())), rows) }
    return (columns, max(1, min(rows, Int((Double(columns) / ratio).rounded()))))
  }
}
