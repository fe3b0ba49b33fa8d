// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import Foundation
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging
import TestSupport
import Testing
import UnicodeText
import UserSettings

@testable import PlayerPort
@testable import Screens
@testable import Terminal

extension PlayingState {
  /// Shows this number of chapters, six seconds each, and a passage that is repeated.
  fileprivate mutating func show(chapters count: Int) {
    chapters = ChapterWindow(
      (0..<count).map { SourceChapter(start: Int64($0) * 6_000, title: "第\($0 + 1)章 \u{1B}[31mof a book") },
      at: position)
    loop = PlayerStatus.Loop(start: 60, end: 75)
    chapter = "11/12 第11章 of a book"
  }
}

/// Compares each screen with its captures: at eight sizes, and in the README and the manual. `SEGUE_UPDATE_CAPTURES=1`
/// rewrites the captures.
@Suite struct CaptureTests {
  private static let sizes = [
    (20, 6), (40, 12), (60, 16), (80, 24), (120, 36), (132, 43), (200, 50), (400, 100),
  ]
  private static let names = [
    "playing", "queue", "albums", "grid", "songs", "search", "lyrics", "actions", "spectrum", "artists", "sort",
    "equalizer", "chapters",
  ]

  private static func model(_ name: String, columns: Int, rows: Int) -> FullScreenModel {
    var rig = ScreenRig(columns: columns, rows: rows)
    rig.model.currentPosition = 1
    rig.model.currentItem = 2
    rig.model.duration = .seconds(98)
    switch name {
    case "chapters":
      rig.show(.nowPlaying)
      rig.type("m")
    case "spectrum":
      rig.show(.nowPlaying)
      rig.type("mmm")
    case "artists":
      rig.rows[.albums(.conjunction([.everything, .text(.artist, TextPattern("Artist 2", kind: .exact))]))] = [
        ListRow(.album(2), title: "Album 2", artist: "Artist 2", detail: "1952", duration: .seconds(2_400))
      ]
      rig.show(.artists)
      rig.type("jl")
    case "sort":
      rig.show(.songs)
      rig.type("ojj")
    case "queue":
      rig.show(.queue)
      rig.type("xj")
    case "albums":
      var filters = LibraryFilters()
      filters.insert("Jazz", of: .genre)
      rig.rows[.albums(filters.query)] = rig.rows[.albums(.everything)]
      rig.model.receive(filters)
      rig.show(.albums)
      rig.type("jjj")
    case "grid":
      rig.model.showsCovers = true
      rig.show(.albums)
      rig.press(.right, .down)
    case "songs":
      rig.show(.songs)
      rig.type("G")
    case "search":
      rig.show(.search)
      rig.type("mi")
    case "lyrics":
      rig.model.lyrics.show(
        .lyrics(Lyrics("[00:01.00]First\n[01:00.00]<01:00.00>Second <01:10.00>line\n[02:00.00]夜のうた")))
      rig.show(.lyrics)
    case "actions":
      rig.show(.queue)
      rig.type("?")
    case "equalizer":
      rig.show(.queue)
      var profile = EqualiserProfile.tenBands
      for (band, gain) in [4, 3, 1, 0, -2.5, -1, 0, 2, 3.5, 5].enumerated() { profile.filters[band].gain = gain }
      var report = EqualiserReport(output: "pulse:headphones", chosen: "Headphones", isBypassed: false)
      report.shown = .init(name: "Headphones", profile: profile)
      _ = rig.model.receive(report, to: .report(nil))
      rig.press(.right, .right)
    default: rig.show(.nowPlaying)
    }
    rig.load()
    return rig.model
  }

  private static var player: FullScreenDrawing.Player {
    var track = Track(path: "/music/2.flac", title: "夜のうた")
    track.artists = ["時計の楽団"]
    track.album = "日本のうた"
    track.date = ReleaseDate(year: 2021)
    track.duration = .seconds(98)
    let next = Track(path: "/music/3.flac", title: "שיר אחד")
    var state = PlayingState()
    state.phase = .playing
    state.position = .seconds(65)
    state.volume = 80
    state.format = AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)).map {
      PlayerStatus.Format($0)
    }
    state.deviations = []
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Queue", tracks: [next, track, next, next]), item: 1))
    queue.reduce(.setRepeat(.all))
    return FullScreenDrawing.Player(nowPlaying: NowPlaying(queue, playing: queue.current?.id), state: state)
  }

  @Test(arguments: names, sizes.indices)
  func `A screen looks like its capture`(name: String, size: Int) throws {
    let (columns, rows) = Self.sizes[size]
    let model = Self.model(name, columns: columns, rows: rows)
    var player = Self.player
    player.show(SpectrumExample.spectrum(on: model))
    if name == "chapters" { player.state.show(chapters: 12) }
    let grid = FullScreenDrawing(model, player).cells()
    for (row, line) in grid.lines.enumerated() { #expect(line.cellWidth <= columns, "row \(row)") }
    let text = grid.lines.joined(separator: "\n") + "\n"
    try Self.compare(text, with: Fixture.directory.appending("Screens").appending("\(name)-\(columns)x\(rows).txt"))
  }

  @Test(arguments: ExampleScreens.names)
  func `The picture of a screen in the README is up to date`(name: String) throws {
    let grid = ExampleScreens.grid(
      name, TerminalSize(columns: 96, rows: 24), Settings().palette(.dark), hasCovers: true)
    let path = Fixture.directory.appending("Screens").appending("\(name.lowercased()).svg")
    try Self.compare(try ScreenPicture(grid).text, with: path)
  }

  @Test(arguments: [(80, 24), (120, 36), (200, 50), (400, 100)])
  func `The picture of what is playing at a size in the README is up to date`(columns: Int, rows: Int) throws {
    let grid = ExampleScreens.grid(
      "Playing", TerminalSize(columns: columns, rows: rows), Settings().palette(.dark), hasCovers: true)
    let path = Fixture.directory.appending("Screens").appending("playing-\(columns)x\(rows).svg")
    try Self.compare(try ScreenPicture(grid).text, with: path)
  }

  @Test func `The screens in the manual are up to date`() throws {
    let screens = ExampleScreens.names.map { name in
      let grid = ExampleScreens.grid(name, TerminalSize(columns: 74, rows: 13), hasCovers: false)
      let lines = grid.lines.map { $0.isEmpty ? "" : "   " + $0 }
      return ([name.uppercased(), ""] + lines).joined(separator: "\n") + "\n"
    }
    let text = "THE SCREENS OF SEGUE\n\n" + screens.joined(separator: "\n")
    let directory = Fixture.directory.removingLastComponent()
    try Self.compare(text, with: directory.pushing("Sources/Faces/Commands/Manual/Topics/screens.txt"))
  }

  /// Compares `text` with a file, or writes it there if the captures are to be updated.
  private static func compare(_ text: String, with path: FilePath) throws {
    if ProcessInfo.processInfo.environment["SEGUE_UPDATE_CAPTURES"] != nil {
      try text.write(toFile: path.string, atomically: true, encoding: .utf8)
    }
    #expect(String(decoding: try contents(of: path), as: UTF8.self) == text)
  }
}
