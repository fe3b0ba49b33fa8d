// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing
import UnicodeText

@testable import Screens

struct SearchScreenTests {
  private static let hits: [SearchHit] = [
    .artist(NameEntry(name: "John Coltrane", albumCount: 2, trackCount: 12)),
    .album(
      AlbumEntry(
        id: 1, title: "Blue Train", artist: "John Coltrane", date: nil, isCompilation: false, trackCount: 5,
        duration: .seconds(2560), added: 0)),
    .track(
      TrackEntry(id: 1, track: Track(path: "/m/a.flac", title: "Moment's Notice"), albumID: 1, added: 0)),
  ]

  private static func output(_ rows: [SearchHit] = hits) -> SearchOutput {
    SearchOutput(rows: rows)
  }

  private static func lines(
    _ output: SearchOutput = output(), text: String = "colt", selection: Int = 0,
    filters: String? = nil, columns: Int = 60, rows: Int = 10
  ) -> [String] {
    SearchScreen(
      output, text: text, selection: selection, filters: filters,
      size: TerminalSize(columns: columns, rows: rows)
    ).lines
  }

  @Test func `The screen shows the typed text, the hits, the selection and the keys`() {
    #expect(
      Self.lines(selection: 1) == [
        "/ colt▏", "  artist  John Coltrane                   12 tracks",
        "> album   Blue Train       John Coltrane      42:40",
        "  track   Moment's Notice                      -:--", "",
        "  ↑/↓ select  Enter play  Tab add  Esc close",
      ])
  }

  @Test func `Filters and the progress are shown`() {
    var output = Self.output([])
    output.isLoading = true
    #expect(Self.lines(output, filters: "genre Jazz")[1] == "  genre Jazz")
    #expect(Self.lines(output, filters: "genre Jazz")[2] == "  loading…")
    output.isLoading = false
    #expect(Self.lines(output)[1] == "  no matches")
  }

  @Test func `The selected row is visible, however many rows there are`() {
    let rows = (0..<100).map { SearchHit.artist(NameEntry(name: "A\($0)", albumCount: 1, trackCount: 1)) }
    for selection in [0, 5, 50, 99] {
      let lines = Self.lines(Self.output(rows), selection: selection, rows: 8)
      #expect(lines.count == 8)
      #expect(lines.contains { $0.hasPrefix("> artist  A\(selection) ") })
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `No line is wider than the terminal, and hostile text is made safe`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<5).map { _ in
      SearchHit.artist(NameEntry(name: generator.hostileText(), albumCount: 1, trackCount: 1))
    }
    let columns = Int.random(in: 1...80, using: &generator)
    let lines = Self.lines(
      Self.output(rows), text: generator.hostileText(), selection: 2, filters: generator.hostileText(),
      columns: columns, rows: Int.random(in: 1...10, using: &generator))
    #expect(lines.allSatisfy { $0.cellWidth <= columns && $0 == $0.safeForTerminal })
  }
}
