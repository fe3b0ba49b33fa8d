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
