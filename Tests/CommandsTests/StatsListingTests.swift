// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import MusicModel
import Platform
import PlayerPort
import SystemPackage
import Terminal
import Testing
import UnicodeText
import UserSettings

@testable import Commands

/// The page of statistics, and the lines of the play log and of ratings.
struct StatsListingTests {
  private var statistics: PlayStatistics {
    var statistics = PlayStatistics()
    (statistics.playCount, statistics.heard, statistics.trackCount) = (1_234, .seconds(7_300 * 60), 800)
    (statistics.albumCount, statistics.artistCount, statistics.newArtistCount) = (90, 45, 1)
    statistics.artists = [
      .init(name: "Miles Davis", playCount: 120, heard: .seconds(9_000), isNew: false),
      .init(name: "夜\u{1B}[31m曲 " + String(repeating: "x", count: 80), playCount: 3, heard: .seconds(60), isNew: true),
    ]
    statistics.tracks = [.init(name: "So What", artist: "Miles Davis", playCount: 9, heard: .seconds(900), isNew: true)]
    (statistics.dayCount, statistics.longestStreak) = (45, 14)
    statistics.longestStreakStart = ReleaseDate(year: 2026, month: 3, day: 2)
    (statistics.longestDay, statistics.longestDayHeard) = (
      ReleaseDate(year: 2026, month: 5, day: 5), .seconds(6 * 3_600)
    )
    statistics.hours[20] = .seconds(3_600)
    statistics.hours[8] = .seconds(450)
    return statistics
  }

  @Test(arguments: [30, 60, 75, 76, 80, 200])
  func `The page of statistics fits into the width, and says what was new`(columns: Int) {
    let lines = StatsListing(statistics, title: "2026").lines(columns: columns, .plain)
    #expect(lines.allSatisfy { $0.cellWidth <= max(32, columns) }, "\(lines)")
    let text = lines.joined(separator: "\n")
    #expect(lines.first == "2026" && text.contains("121 hours on 45 days") && !text.contains("\u{1B}"))
    #expect(text.contains("longest streak: 14 days"))
    #expect(text.contains("3 *") && !text.contains("120 *"))
    #expect(text.contains("        ▁           █   "))
    // Rankings stand side by side where there is room.
    #expect(lines.contains { $0.hasPrefix("Artists") && $0.hasSuffix("Tracks") } == (columns >= 76))
  }

  @Test func `Plain lines name everything in words`() {
    let lines = StatsListing(statistics, title: "2026").plainLines
    #expect(lines.contains("track: 1: So What; artist: Miles Davis; 9 plays; time: 15 minutes; new"), "\(lines)")
  }

  @Test(arguments: [
    ("2026", 2026, 1, 1, 2027, 1, 1), ("2026-02", 2026, 2, 1, 2026, 3, 1), ("2026-02-28", 2026, 2, 28, 2026, 3, 1),
    ("2025..2026-01", 2025, 1, 1, 2026, 2, 1),
  ])
  func `A period has whole days`(text: String, year: Int, month: Int, day: Int, year2: Int, month2: Int, day2: Int)
    throws
  {
    let start = CalendarDay(year: year, month: month, day: day).start
    let end = CalendarDay(year: year2, month: month2, day: day2).start
    #expect(try PlayPeriod(text) == PlayPeriod(from: start, until: end))
  }

  @Test func `An invalid period is refused`() throws {
    #expect(try PlayPeriod("30d").end == nil && PlayPeriod("30d").start != nil)
    for text in ["", "soon", "2026-13", "2027..2026", "x y", "30d)"] {
      #expect(throws: PlayerError.self, "\(text)") { try PlayPeriod(text) }
    }
  }

  @Test func `A line of ratings says what is known, and hostile numbers are refused`() throws {
    var track = Track(path: "/music/a.flac", title: "So What")
    track.artists = ["Miles Davis"]
    let line = RatedLine(
      track,
      [
        Sticker(name: Sticker.rating, value: "9"), Sticker(name: Sticker.like, value: "2"),
        Sticker(name: Sticker.albumRating, value: "7"), Sticker(name: Sticker.playCount, value: "many"),
        Sticker(name: Sticker.skipCount, value: "-3"),
      ])
    #expect(RatedLine(track, [Sticker(name: Sticker.rating, value: "100")]).rating == nil)
    #expect(line.albumRating == 7 && RatedLine(track, [Sticker(name: Sticker.albumRating, value: "7")]).isNoted)
    #expect(line.rating == 9 && line.liked == true && line.plays == nil && line.skips == nil && line.isValid)
    let text = try #require(JSONText.text(line))
    let decoded = try JSONDecoder().decode(RatedLine.self, from: Data(text.utf8))
    #expect(decoded == line)
    for field in ["\"rating\":11", "\"albumRating\":11", "\"rating\":-1", "\"plays\":-5", "\"lastPlayed\":-1"] {
      let hostile = "{\"path\":\"/a\",\"title\":\"x\",\(field)}"
      #expect(try !JSONDecoder().decode(RatedLine.self, from: Data(hostile.utf8)).isValid, "\(field)")
    }
  }
}
