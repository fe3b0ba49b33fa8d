// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import MusicModel
import Platform
import PlayerPort
import Terminal
import Testing
import UserSettings

@testable import Screens

struct AlbumGridTests {
  /// Returns a rig that shows thirty albums as a grid, four of them side by side on 80 columns.
  private static func grid(columns: Int = 80, rows: Int = 24) -> ScreenRig {
    var rig = ScreenRig(columns: columns, rows: rows)
    rig.model.showsCovers = true
    rig.show(.albums)
    return rig
  }

  @Test func `The arrows move between the covers, and stay in their column`() {
    var rig = Self.grid()
    rig.press(.right, .down)
    #expect(rig.title == "Album 6")
    rig.press(.left, .left)
    #expect(rig.title == "Album 4")
    rig.press(.up)
    #expect(rig.title == "Album 4")
    rig.press(.end)
    #expect(rig.title == "Album 30")
    rig.press(.up, .right, .right, .down)
    // The last line has two albums.
    #expect(rig.title == "Album 30")
    rig.press(.home, .pageDown)
    #expect(rig.title == "Album 9")
    rig.type("l")
    #expect(rig.model.list?.content == .album(9))
  }

  @Test(arguments: [(80, 24), (100, 40), (132, 43), (400, 120)])
  func `The cover under the cursor is visible, wherever the cursor moves`(columns: Int, rows: Int) throws {
    var rig = Self.grid(columns: columns, rows: rows)
    let grid = try #require(AlbumGrid(rig.model.layout))
    for key: Key in [.down, .down, .right, .pageDown, .left, .end, .up, .pageUp, .home, .down] {
      rig.press(key)
      let list = try #require(rig.model.list)
      #expect((list.top..<list.top + grid.rows * grid.columns).contains(list.cursor), "after \(key)")
      #expect(list.top % grid.columns == 0)
    }
  }

  @Test func `There is a list where there is no room for covers, or if the user prefers it`() {
    for (columns, rows) in [(60, 24), (80, 16), (20, 6)] {
      let model = Self.grid(columns: columns, rows: rows).model
      #expect(model.list.map { model.grid(of: $0.content) == nil } == true, "\(columns)x\(rows)")
    }
    var rig = Self.grid()
    rig.press(.down)
    #expect(rig.title == "Album 5")
    rig.type("tj")
    #expect(rig.title == "Album 6")
    rig.type("t")
    rig.press(.down)
    #expect(rig.title == "Album 10")
  }

  @Test func `Without any covers there is a list, unless the user asks for the grid`() {
    var rig = Self.grid()
    rig.model.receiveMissingCovers()
    rig.press(.down)
    #expect(rig.title == "Album 2")
    rig.type("t")
    rig.model.receiveMissingCovers()
    rig.press(.down)
    #expect(rig.title == "Album 6")
  }

  @Test func `A click selects a cover, and a second one plays the album`() {
    var rig = Self.grid()
    let row = rig.model.layout.bodyRows.lowerBound
    rig.handle(.mouse(MouseEvent(.press, row: row + 10, column: 27)))
    #expect(rig.title == "Album 6" && rig.commands.isEmpty)
    rig.handle(.mouse(MouseEvent(.press, row: row + 10, column: 27)))
    #expect(rig.commands == [.use(.play, [.album(6)], in: ListView(.albums(.everything)))])
    // Between two covers.
    rig.handle(.mouse(MouseEvent(.press, row: row, column: 24)))
    #expect(rig.title == "Album 6")
    rig.handle(.mouse(MouseEvent(.wheelDown, row: row, column: 5)))
    #expect(rig.model.list?.top == 4)
  }

  @Test func `Covers are drawn in their places, and initials where there is none`() {
    let rig = Self.grid()
    let cover = DrawnCover(content: .rows(Array(repeating: "xxxxxxxxxx", count: 7)), columns: 10, rows: 7)
    let player = FullScreenDrawing.Player(nowPlaying: nil, state: .init())
    let grid = FullScreenDrawing(rig.model, player, albumCovers: [2: cover]).cells()
    #expect(grid.pictures == [PlacedPicture(cover, row: 2, column: 27)])
    #expect(grid.lines[5].hasPrefix("               A1                              A3"), "\(grid.lines[5])")
    #expect(grid.lines[9].hasPrefix("        ▌Album 1         Album 2         Album 3"), "\(grid.lines[9])")
    #expect(rig.model.visibleAlbums == Array(1...8))
  }
}
