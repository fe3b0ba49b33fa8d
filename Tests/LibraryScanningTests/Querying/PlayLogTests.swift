// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel

/// The play log, and what is summed up from it.
@Suite struct PlayLogTests {
  private let rig: ScanRig
  private var library: IndexedLibrary { rig.library() }

  init() throws {
    rig = try ScanRig()
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
  }

  /// Returns noon of a day, in seconds since 1970.
  private func noon(_ year: Int, _ month: Int, _ day: Int) throws -> Int64 {
    try #require(CalendarDay(year: year, month: month, day: day).start) + 12 * 3_600
  }

  private func track(_ title: String, _ artist: String, _ album: String, _ genre: String = "Jazz") -> Track {
    var track = Track(path: FilePath("/music/\(title).flac"), title: title)
    track.artists = [artist]
    track.album = album
    track.genres = [genre]
    track.duration = .seconds(200)
    return track
  }

  @discardableResult
  private func log(_ track: Track, at time: Int64, heard: Int = 100, from origin: String = "") throws -> Int64 {
    try library.log(LoggedPlay(time: time, heard: .seconds(heard), origin: origin, track: track))
  }

  @Test func `Plays are listed with the track as it was, the latest first`() throws {
    let (one, other) = (track("One", "Miles", "Kind"), track("Two", "Bill", "Waltz"))
    let first = try log(one, at: 1_000, from: "Evening")
    try log(other, at: 3_000)
    try log(one, at: 2_000)
    try library.setHeard(.milliseconds(199_500), ofPlay: first)
    let all = try library.plays(PlayPeriod(), window: .init()).elements
    #expect(all.map(\.time) == [3_000, 2_000, 1_000])
    #expect(
      all.last == LoggedPlay(time: 1_000, heard: .milliseconds(199_500), origin: "Evening", track: albumArtist(one)))
    let page = try library.plays(PlayPeriod(), window: .init(offset: 1, limit: 1))
    #expect(page.elements.map(\.time) == [2_000] && page.hasMore)
    #expect(try library.plays(PlayPeriod(from: 1_001, until: 3_000), window: .init()).elements.map(\.time) == [2_000])
    // A part of a file, and names without a value, come back as they were.
    var part = Track(path: "/music/a\u{1F}b.flac", title: "")
    part.segment = TrackSegment(start: 0, end: nil)
    try log(part, at: 4_000)
    #expect(try library.plays(PlayPeriod(), window: .init(limit: 1)).elements.first?.track == part)
  }

  /// The track with the artist of its album, which the log falls back to.
  private func albumArtist(_ track: Track) -> Track {
    var track = track
    track.albumArtists = track.artists
    return track
  }

  @Test func `Plays are removed from the log, and stay in the counts`() throws {
    let path = rig.root.pushing("a/1.flac")
    #expect(try library.count(.play, of: path, at: 5_000))
    for time in [1_000, 2_000, 3_000] as [Int64] { try log(track("One", "Miles", "Kind"), at: time) }
    #expect(try library.removePlays(PlayPeriod(until: 2_001)) == 2)
    #expect(try library.plays(PlayPeriod(), window: .init()).elements.map(\.time) == [3_000])
    #expect(try library.removePlays(PlayPeriod()) == 1)
    #expect(try library.plays(PlayPeriod(), window: .init()).elements == [])
    #expect(try library.stickers(Sticker.playCount, within: "a").map(\.value) == ["1"])
    #expect(try library.statistics(PlayPeriod(), limit: 5) == PlayStatistics())
  }

  /// The titles of the tracks that match a query.
  private func titles(_ query: String) throws -> [String] {
    let parser = LibraryQueryParser(today: try #require(ReleaseDate(year: 2026, month: 3, day: 10)))
    let found = try library.tracks(parser.parse(query), order: LibraryOrder(.title), window: .init())
    return found.elements.map(\.track.title)
  }

  private func logPlay(of name: String, at time: Int64) throws {
    try log(Track(path: rig.root.pushing(FilePath(name)), title: "T"), at: time)
  }

  @Test func `A track is found by any of its plays, wherever its file was when it was played`() throws {
    try rig.add("a/2.flac", album: "A", 2)
    try rig.scan()
    for (year, month) in [(2024, 3), (2025, 11), (2026, 1)] { try logPlay(of: "a/1.flac", at: noon(year, month, 5)) }
    try logPlay(of: "a/2.flac", at: noon(2026, 3, 9))
    #expect(try titles("listened:2024") == ["T1"] && titles("listened:2023") == [] && titles("listened:7d") == ["T2"])
    #expect(try titles("listened:2025-11 listened:2026-01-05") == ["T1"] && titles("listened:2025-12") == [])
    #expect(try titles("listened:..2025") == ["T1"] && titles("-listened:..2025") == ["T2"])
    try rig.move("a/1.flac", to: "b/one.flac")
    try rig.scan()
    try logPlay(of: "b/one.flac", at: noon(2026, 3, 8))
    #expect(try titles("listened:2024") == ["T1"] && titles("listened:2026-03") == ["T1", "T2"])
    // What is away for a while, and what is removed from the log.
    try rig.move("b/one.flac", to: "../one.flac")
    try rig.scan()
    #expect(try titles("listened:2024") == [])
    try rig.move("../one.flac", to: "c/one.flac")
    try rig.scan()
    #expect(try titles("listened:2024") == ["T1"])
    _ = try library.removePlays(PlayPeriod(until: try noon(2025, 1, 1)))
    #expect(try titles("listened:2024") == [] && titles("listened:2025") == ["T1"])
  }

  @Test func `What was played before it was in the library is found once it is`() throws {
    try logPlay(of: "z/9.flac", at: noon(2024, 3, 5))
    try rig.add("z/9.flac", album: "Z", 9)
    #expect(try titles("listened:2024") == [])
    try rig.scan()
    #expect(try titles("listened:2024") == ["T9"])
    // A track that is forgotten leaves its plays to the next one with its path.
    try rig.remove("z/9.flac")
    try rig.scan()
    #expect(try library.forgetMissing().count == 1)
    try rig.add("z/9.flac", album: "Z", 8)
    try rig.scan()
    #expect(try titles("listened:2024") == ["T8"])
  }

  @Test func `Statistics sum up a period, and know what is new in it`() throws {
    let (one, two, three) = (
      track("One", "Miles", "Kind"), track("Two", "Miles", "Kind"), track("Three", "Bill", "Waltz", "Trio")
    )
    try log(one, at: noon(2025, 12, 31))
    for day in 1...3 { try log(one, at: noon(2026, 3, day)) }
    try log(two, at: noon(2026, 3, 5), heard: 200)
    try log(three, at: noon(2026, 3, 6))
    try log(three, at: noon(2026, 3, 7), heard: 300)
    try log(three, at: noon(2026, 3, 7) + 60, heard: 250)
    let year = PlayPeriod(from: try noon(2026, 1, 1) - 43_200, until: try noon(2027, 1, 1) - 43_200)
    let statistics = try library.statistics(year, limit: 2)
    #expect(statistics.playCount == 7 && statistics.heard == .seconds(1_150))
    #expect(statistics.trackCount == 3 && statistics.albumCount == 2 && statistics.artistCount == 2)
    #expect(statistics.newArtistCount == 1)
    #expect(
      statistics.artists == [
        .init(name: "Miles", playCount: 4, heard: .seconds(500), isNew: false),
        .init(name: "Bill", playCount: 3, heard: .seconds(650), isNew: true),
      ])
    #expect(statistics.albums.map(\.artist) == ["Miles", "Bill"])
    // Of equally frequent ones, the one that was heard longer is first; the limit leaves out the third.
    #expect(statistics.tracks.map(\.name) == ["Three", "One"] && statistics.tracks.map(\.isNew) == [true, false])
    #expect(statistics.genres.map(\.name) == ["Jazz", "Trio"])
    #expect(statistics.dayCount == 6 && statistics.longestStreak == 3)
    #expect(statistics.longestStreakStart == ReleaseDate(year: 2026, month: 3, day: 1))
    #expect(
      statistics.longestDay == ReleaseDate(year: 2026, month: 3, day: 7) && statistics.longestDayHeard == .seconds(550))
    #expect(statistics.months[2] == .seconds(1_150) && statistics.hours[12] == .seconds(1_150))
    // 2026-03-01 is a Sunday, 2026-03-07 a Saturday.
    #expect(statistics.weekdays[6] == .seconds(100) && statistics.weekdays[5] == .seconds(550))
    let all = try library.statistics(PlayPeriod(), limit: 9)
    #expect(all.playCount == 8 && all.newArtistCount == 0 && all.tracks.count == 3)
  }
}
