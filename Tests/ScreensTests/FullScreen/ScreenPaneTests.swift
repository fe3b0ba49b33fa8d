// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Terminal
import Testing
import UserSettings

@testable import Screens

struct ScreenPaneTests {
  @Test func `Lists stand side by side where there is room, with what is under the cursor`() {
    var rig = ScreenRig(columns: 120, rows: 30)
    let albums = ListContent.albums(.conjunction([.everything, .text(.artist, TextPattern("Artist 2", kind: .exact))]))
    rig.rows[albums] = [ListRow(.album(2), title: "Album 2")]
    rig.show(.artists)
    rig.type("j")
    #expect(rig.model.preview?.content == albums && rig.model.preview?.row(0)?.title == "Album 2")
    rig.type("l")
    #expect(rig.title == "Album 2" && rig.model.path == ["Artist 2"] && rig.model.parentList?.cursor == 1)
    #expect(rig.model.preview?.row(0)?.title == "Song 1")
    // A click beside the list goes back, or opens.
    let row = rig.model.layout.listRows.lowerBound
    rig.handle(.mouse(MouseEvent(.press, row: row + 2, column: 110)))
    #expect(rig.model.list?.content == .album(2) && rig.title == "Song 3")
    rig.handle(.mouse(MouseEvent(.press, row: row, column: 1)))
    #expect(rig.model.list?.content == albums)
    rig.model.resize(TerminalSize(columns: 80, rows: 24))
    #expect(rig.model.panes == nil)
  }

  @Test func `The room below a short list shows the cover and the tracks of its first album`() {
    var rig = ScreenRig(columns: 160, rows: 40)
    let query = LibraryQuery.conjunction([.everything, .text(.artist, TextPattern("Artist 1", kind: .exact))])
    rig.rows[.albums(query)] = [ListRow(.album(2), title: "Album 2", artist: "Artist 1")]
    rig.model.showsCovers = true
    rig.show(.artists)
    for _ in 0..<2 { rig.load() }
    let room = rig.model.albumRoom
    #expect(room?.album == 2 && room?.cover.columns == (room?.cover.rows ?? 0) * 2)
    #expect(rig.model.visibleAlbums == [2] && rig.model.albumCoverSize?.rows == room?.cover.rows)
    #expect(rig.model.albumTracks?.row(0)?.title == "Song 1")
    // Nothing is below what covers the screen, or on a terminal without colours.
    rig.type("?")
    #expect(rig.model.albumRoom == nil)
    rig.press(.escape)
    rig.model.showsCovers = false
    rig.load()
    #expect(rig.model.albumRoom == nil && rig.model.albumTracks == nil)
    // Nor is it below a long list.
    #expect(AlbumRoom(of: 2, below: 30, in: CellArea(row: 2, column: 0, columns: 90, rows: 34), hasTracks: true) == nil)
  }
}
