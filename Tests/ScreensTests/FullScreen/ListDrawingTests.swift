// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlayerPort
import Terminal
import Testing
import UserSettings

@testable import Screens

/// What the rows of lists look like.
struct ListDrawingTests {
  private static func lines(_ rig: ScreenRig) -> [String] {
    FullScreenDrawing(rig.model, .init(nowPlaying: nil, state: PlayingState())).cells().lines
  }

  @Test func `The columns that the user has chosen are shown, and the value by which a list is sorted`() {
    var rig = ScreenRig()
    rig.model.columns["songs"] = ListColumn.choices("time title")
    rig.rows[.songs(.everything)] = [
      ListRow(.track(id: 1, "/1"), title: "One", artist: "A", duration: .seconds(61)),
      ListRow(.track(id: 2, "/2"), title: "Two", artist: "B", duration: .seconds(62)),
    ]
    rig.rows[.songs(.everything)]?[1].plays = 7
    rig.show(.songs)
    #expect(Self.lines(rig)[2...3].map { String($0.prefix(20)) } == ["      Time  Title", "      1:01  One"])
    #expect(!Self.lines(rig)[2].contains("Artist"))
    rig.show(.mostPlayed)
    let lines = Self.lines(rig)
    #expect(lines[2].contains("Plays") && lines[3].contains("Two") && lines[3].contains(" 7"), "\(lines)")
  }

  @Test func `The discs of an album have headings, and a click finds the row under it`() {
    var rig = ScreenRig()
    rig.rows[.album(2)] = (1...40).map { number in
      var row = ScreenRig.song(number)
      row.disc = number <= 20 ? 1 : 2
      return row
    }
    rig.show(.albums)
    rig.type("jl")
    var lines = Self.lines(rig)
    #expect(lines[3].hasPrefix("   Disc 1 ") && lines[4].contains("Song 1 "), "\(lines)")
    rig.handle(.mouse(MouseEvent(.press, row: 4, column: 9)))
    #expect(rig.title == "Song 1")
    rig.handle(.mouse(MouseEvent(.press, row: 3, column: 9)))
    #expect(rig.title == "Song 1")
    // The cursor stays visible, although the headings take rows.
    for _ in 1..<40 {
      rig.type("j")
      lines = Self.lines(rig)
      #expect(lines.contains { $0.contains(rig.title.map { $0 + " " } ?? "?") }, "\(lines)")
    }
    #expect(rig.title == "Song 40")
    rig.type("gg")
    for _ in 1..<21 { rig.type("j") }
    lines = Self.lines(rig)
    let heading = lines.firstIndex { $0.hasPrefix("   Disc 2") } ?? 0
    #expect(heading > 3 && lines[heading + 1].contains("Song 21 "), "\(lines)")
  }

  @Test func `The header says how much of the queue is left`() throws {
    var list = ListState(ListView(.queue), title: "")
    var page = ListPage(offset: 0, rows: ScreenRig.queue, count: 6)
    page.durations = QueueDurations(all: .seconds(1_860), remaining: .seconds(720))
    list.receive(page)
    #expect(list.summary(at: .seconds(20)) == "6 tracks · 31:00 · 11:40 left")
    #expect(list.summary(at: .seconds(900)) == "6 tracks · 31:00 · 0:00 left")
    #expect(try list.summary(at: .seconds(20), #require(PlaybackSpeed(2))) == "6 tracks · 31:00 · 5:50 left")
    page.durations = QueueDurations(all: .seconds(1_860), remaining: nil)
    list.receive(page)
    #expect(list.summary(at: .zero) == "6 tracks · 31:00")
  }
}
