import Testing

@testable import CoverDrawing

struct CoverCanvasTests {
  private static func canvas(_ columns: Int, _ rows: Int, cell: (Int, Int) = (10, 20)) -> CoverCanvas {
    CoverCanvas(
      columns: columns, rows: rows, graphics: .symbols, colours: .trueColour, cellWidth: cell.0,
      cellHeight: cell.1)
  }

  @Test func `A picture keeps its proportions and fits`() {
    #expect(Self.canvas(26, 13).cells(width: 500, height: 500) == (26, 13))
    #expect(Self.canvas(26, 20).cells(width: 500, height: 500) == (26, 13))
    #expect(Self.canvas(60, 13).cells(width: 500, height: 500) == (26, 13))
    #expect(Self.canvas(26, 13).cells(width: 1000, height: 500) == (26, 7))
    #expect(Self.canvas(26, 13).cells(width: 500, height: 1000) == (13, 13))
    #expect(Self.canvas(26, 13, cell: (10, 10)).cells(width: 500, height: 500) == (13, 13))
  }

  @Test(arguments: [(1, 65_535), (65_535, 1), (1, 1)])
  func `The oddest picture has a cell, and no more than there are`(width: Int, height: Int) {
    let cells = Self.canvas(26, 13).cells(width: width, height: height)
    #expect((1...26).contains(cells.columns) && (1...13).contains(cells.rows))
  }

  @Test func `A place that no terminal has is made one that it could have`() {
    let canvas = Self.canvas(.max, -5, cell: (0, .max))
    #expect(canvas.columns == 400 && canvas.rows == 1)
    #expect(canvas.cellWidth == 10 && canvas.cellHeight == 20)
  }
}
