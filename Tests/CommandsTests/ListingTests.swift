// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import MusicModel
import PlayerFlow
import Playlists
import Screens
import SystemPackage
import TestSupport
import Testing
import UnicodeText

@testable import Commands
@testable import PlayerPort
@testable import Terminal

struct ListingTests {
  @Test func `A table is aligned by terminal cells`() {
    let table = Table(alignments: [.right, .left, .right], flexible: [1])
    let rows = [["1", "夜曲", "4:05"], ["10", "Blue", "12:00"], ["2", "👩‍👩‍👧‍👦é", "0:01"]]
    #expect(
      table.lines(rows, columns: nil) == [" 1  夜曲   4:05", "10  Blue  12:00", " 2  👩‍👩‍👧‍👦é    0:01"])
    #expect(table.lines([], columns: 10).isEmpty)
  }

  @Test func `If there is too little room, flexible columns are narrowed`() {
    let table = Table(alignments: [.right, .left, .right], flexible: [1])
    #expect(
      table.lines([["1", "Freddie Freeloader", "9:46"]], columns: 18)
        == ["1  Freddie…  9:46"].map { $0.replacing("Freddie…", with: "Freddie …") })
    #expect(table.lines([["1", "Freddie Freeloader", "9:46"]], columns: 5) == ["1  F…"])
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `No line of a table is wider than requested, whatever its content`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<5).map { _ in (0..<3).map { _ in generator.hostileText().safeForTerminal } }
    let columns = Int.random(in: 0...60, using: &generator)
    let lines = Table(alignments: [.left, .right, .left], flexible: [0, 2]).lines(rows, columns: columns)
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.cellWidth <= columns && $0.last != " " })
  }

  @Test func `Albums are listed with artist, title, year, track count and duration`() {
    let album = AlbumEntry(
      id: 1, title: "Kind of Blue", artist: "Miles Davis", date: ReleaseDate(year: 1959),
      isCompilation: false,
      trackCount: 1, duration: .seconds(325), added: 0)
    let other = AlbumEntry(
      id: 2, title: "夜\u{1B}曲", artist: nil, date: nil, isCompilation: false, trackCount: 2,
      duration: .seconds(3_925), added: 0)
    #expect(
      AlbumEntry.table.lines([album, other].map { $0.cells.map(\.safeForTerminal) }, columns: nil) == [
        "Miles Davis  Kind of Blue  1959   1 track     5:25",
        "             夜␛曲               2 tracks  1:05:25",
      ])
  }

  @Test func `Every listing has a heading for each of its columns`() {
    func check<Entry: ListedEntry>(_: Entry.Type) {
      #expect(Entry.headings.count == Entry.table.alignments.count, "\(Entry.self)")
    }
    check(AlbumEntry.self)
    check(TrackEntry.self)
    check(ListedName.self)
    check(ProblemEntry.self)
    check(SearchHit.self)
    check(LoggedPlay.self)
    check(MarkedEntry<AlbumEntry>.self)
    check(MarkedColumns<TrackEntry>.self)
    check(ListedItem.self)
    check(ListedTrack.self)
    check(ListedEdit.self)
    check(ListedPlaylist.self)
  }

  @Test func `A track is announced in one line`() {
    let line = { (track: Track, position: Int, count: Int, title: String) in
      TrackLine.text(QueueTrack(track: TrackRow(track), position: position, count: count, title: title))
    }
    #expect(line(Examples.track("a"), 0, 2, "Q") == "1/2 a - Miles Davis - Kind of Blue (5:25)")
    #expect(line(Examples.track("So\nWhat", artist: nil, seconds: nil), 1, 2, "Q") == "2/2 So What - Kind of Blue")
    #expect(line(Examples.track("x", artist: nil, album: nil), 0, 1, "T") == "1/1 x - T (5:25)")
  }

  @Test func `Notices are reported once`() {
    var notices = PlaybackNotices()
    var state = PlaybackState()
    #expect(notices.notices(for: state).isEmpty)
    let item = PlayQueue.Item.ID(rawValue: 1)
    let error = DecodingError(path: "/a.mp3", kind: .empty, reason: "holds no sound")
    _ = state.reduce(.report(.failed(item, error)))
    _ = state.reduce(.report(.failed(item, error)))
    #expect(notices.notices(for: state) == ["skipped /a.mp3: holds no sound", "skipped /a.mp3: holds no sound"])
    #expect(notices.notices(for: state).isEmpty)
    _ = state.reduce(.report(.outputFailed(OutputError(kind: .lost, description: "gone"))))
    #expect(notices.notices(for: state) == ["gone"])
    _ = state.reduce(.report(.failed(item, error)))
    #expect(notices.notices(for: state) == ["skipped /a.mp3: holds no sound"])
  }

  @Test func `Each problem is reported once, even if there are more than can be stored`() {
    var notices = PlaybackNotices()
    var state = PlaybackState()
    let error = DecodingError(path: "/a.mp3", kind: .empty, reason: "holds no sound")
    var reported = 0
    for _ in 0..<250 {
      _ = state.reduce(.report(.failed(PlayQueue.Item.ID(rawValue: 1), error)))
      reported += notices.notices(for: state).count
    }
    #expect(reported == 250)
  }
}
