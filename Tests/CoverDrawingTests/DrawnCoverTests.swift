// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

@testable import CoverDrawing

/// Requires libchafa, TurboJPEG and libpng, which the README's commands install.
struct DrawnCoverTests {
  private static let jpeg = "Music/The Clockwork Consort/Ground and Air/cover.jpg"
  private static let png = "Music/時計の楽団/日本のうた/cover.png"

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: Fixture.directory.pushing(FilePath(path)).string)))
  }

  private static func draw(
    _ bytes: [UInt8], _ graphics: TerminalGraphics = .symbols, _ colours: TerminalColours = .trueColour
  ) -> DrawnCover? {
    DrawnCover(bytes, on: CoverCanvas(columns: 20, rows: 10, graphics: graphics, colours: colours))
  }

  @Test(arguments: [jpeg, png], [TerminalColours.sixteen, .indexed256, .trueColour])
  func `A cover is drawn in rows of blocks`(path: String, colours: TerminalColours) throws {
    let cover = try #require(Self.draw(try Self.bytes(path), .symbols, colours))
    #expect(cover.columns == 20 && cover.rows == 10)
    guard case .rows(let rows) = cover.content else {
      Issue.record("an image instead of rows")
      return
    }
    #expect(rows.count == 10)
    #expect(rows.allSatisfy { $0.contains("\u{1B}[") })
    // A half block shows two pixels in one cell, a quadrant four.
    #expect(rows.joined().contains { "▀▄".contains($0) })
    #expect(rows.joined().contains { "▌▐▖▗▘▙▚▛▜▝▞▟".contains($0) } == (colours != .sixteen))
  }

  @Test(arguments: [
    (TerminalGraphics.sixels, "\u{1B}P"), (.kitty, "\u{1B}_G"), (.iTerm2, "\u{1B}]1337;File="),
  ])
  func `A cover is drawn in the terminal's graphics protocol`(graphics: TerminalGraphics, beginning: String)
    throws
  {
    let cover = try #require(Self.draw(try Self.bytes(Self.png), graphics))
    guard case .image(let image) = cover.content else {
      Issue.record("rows instead of an image")
      return
    }
    #expect(image.utf8.starts(with: beginning.utf8))
  }

  @Test(arguments: [jpeg, png])
  func `A truncated or damaged picture does no harm`(path: String) throws {
    let intact = try Self.bytes(path)
    for length in stride(from: 0, to: intact.count, by: max(1, intact.count / 40)) {
      _ = Self.draw([UInt8](intact[..<length]))
    }
    #expect(Self.draw([UInt8](intact[..<20])) == nil)
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<40 {
      var damaged = intact
      for _ in 0..<8 {
        damaged[.random(in: 4..<intact.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      _ = Self.draw(damaged)
    }
  }

  @Test func `A picture that claims a huge size is refused`() throws {
    var png = try Self.bytes(Self.png)
    // Replaces the width and the height in IHDR, and its CRC.
    png.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
    var crc = UInt32.max
    for byte in png[12..<29] {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    crc = ~crc
    png.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: crc >> (24 - 8 * $0)) })
    #expect(Self.draw(png) == nil)
    var jpeg = try Self.bytes(Self.jpeg)
    let frame = try #require(
      jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && [0xC0, 0xC2].contains(jpeg[$0 + 1]) })
    jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0xEA, 0x60, 0xEA, 0x60])
    #expect(Self.draw(jpeg) == nil)
  }

  @Test func `Other data, or a picture larger than the limit, is refused`() throws {
    #expect(Self.draw([]) == nil)
    #expect(Self.draw([UInt8]("GIF89a and more".utf8)) == nil)
    let large = try Self.bytes(Self.png) + [UInt8](repeating: 0, count: DrawnCover.sizeLimit)
    #expect(Self.draw(large) == nil)
  }
}

struct CoverCanvasTests {
  private static func canvas(_ columns: Int, _ rows: Int, cell: (Int, Int) = (10, 20)) -> CoverCanvas {
    CoverCanvas(
      columns: columns, rows: rows, graphics: .symbols, colours: .trueColour, cellWidth: cell.0,
      cellHeight: cell.1)
  }

  @Test func `A picture keeps its aspect ratio and fits`() {
    #expect(Self.canvas(26, 13).cells(width: 500, height: 500) == (26, 13))
    #expect(Self.canvas(26, 20).cells(width: 500, height: 500) == (26, 13))
    #expect(Self.canvas(60, 13).cells(width: 500, height: 500) == (26, 13))
    #expect(Self.canvas(26, 13).cells(width: 1000, height: 500) == (26, 7))
    #expect(Self.canvas(26, 13).cells(width: 500, height: 1000) == (13, 13))
    #expect(Self.canvas(26, 13, cell: (10, 10)).cells(width: 500, height: 500) == (13, 13))
  }

  @Test(arguments: [(1, 65_535), (65_535, 1), (1, 1)])
  func `A picture of extreme proportions has at least one cell, and fits`(width: Int, height: Int) {
    let cells = Self.canvas(26, 13).cells(width: width, height: height)
    #expect((1...26).contains(cells.columns) && (1...13).contains(cells.rows))
  }

  @Test func `Implausible canvas sizes are clamped`() {
    let canvas = Self.canvas(.max, -5, cell: (0, .max))
    #expect(canvas.columns == 400 && canvas.rows == 1)
    #expect(canvas.cellWidth == 10 && canvas.cellHeight == 20)
  }

  @Test func `The accent is the most frequent vivid colour, and a grey picture has none`() {
    func accent(_ pixels: [[UInt8]]) -> AccentColour? {
      unsafe pixels.flatMap { $0 }.withUnsafeBufferPointer { unsafe AccentColour(pixels: $0) }
    }
    let (grey, blue, red): ([UInt8], [UInt8], [UInt8]) = ([90, 90, 90, 255], [20, 40, 200, 255], [200, 20, 20, 255])
    let picture =
      Array(repeating: grey, count: 500) + Array(repeating: blue, count: 60) + Array(repeating: red, count: 20)
    #expect(accent(picture) == AccentColour(red: 20, green: 40, blue: 200))
    #expect(accent(Array(repeating: grey, count: 500)) == nil)
    #expect(accent([]) == nil)
    // What is transparent is not seen.
    #expect(accent(Array(repeating: [255, 0, 0, 0], count: 50)) == nil)
  }
}
