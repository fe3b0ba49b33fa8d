// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerPort
import Screens
import Terminal
import UserSettings

/// The `stats` command: sums up the play log.
struct StatsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show what you have listened to most.",
    discussion: """
      Totals, the artists, albums, tracks and genres that were played most, and when you listen, from the play log (`segue history`). With \
      --year or --period, * marks what was not played before.

      Examples:
        stats
        stats --year 2026
        stats --period 30d --json
      """)

  @Option(name: .long, help: "Year. Default: all years.")
  var year: Int?

  @OptionGroup var period: PeriodOptions

  @Option(name: .long, help: "Length of each ranking.")
  var top = 10

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func validate() throws {
    if year != nil, period.period != nil { throw ValidationError("use either --year or --period") }
    if let year, !(1...9999).contains(year) { throw ValidationError("invalid year \(year)") }
    guard (1...1_000).contains(top) else { throw ValidationError("invalid --top \(top): use 1 to 1000") }
  }

  func run(in session: Session) throws {
    let chosen = try year.map { year throws(PlayerError) in try PlayPeriod("\(year)") } ?? period.chosen
    let flow = try session.readFlow(library.request(in: session))
    let statistics = try flow.index.statistics(chosen, limit: top)
    if json { return try session.printJSON(ListedStatistics(statistics)) }
    guard statistics.playCount > 0 else {
      return session.printRemark(PeriodOptions.noPlays(year.map { "\($0)" } ?? period.period))
    }
    let title = year.map { "\($0)" } ?? period.period ?? "All years"
    let listing = StatsListing(statistics, title: title)
    session.printLines(
      session.outputStyle.isPlain
        ? listing.plainLines : listing.lines(columns: session.columns ?? 80, session.palette))
  }
}

/// The object that `stats --json` prints.
struct ListedStatistics: Encodable, Equatable {
  struct Entry: Encodable, Equatable {
    let name: String
    let artist: String?
    let plays: Int
    let seconds: Double
    let new: Bool

    init(_ entry: PlayStatistics.Entry) {
      name = entry.name
      artist = entry.artist.isEmpty ? nil : entry.artist
      plays = entry.playCount
      seconds = entry.heard / .seconds(1)
      new = entry.isNew
    }
  }

  let plays: Int
  let seconds: Double
  let tracks: Int
  let albums: Int
  let artists: Int
  let newArtists: Int
  let topArtists: [Entry]
  let topAlbums: [Entry]
  let topTracks: [Entry]
  let topGenres: [Entry]
  let days: Int
  let longestStreak: Int
  let longestStreakStart: String?
  let longestDay: String?
  let longestDaySeconds: Double
  /// Seconds in each hour of the day, on each day of the week from Monday on, and in each month.
  let hours: [Double]
  let weekdays: [Double]
  let months: [Double]

  init(_ statistics: PlayStatistics) {
    let seconds = { (durations: [Duration]) in durations.map { $0 / .seconds(1) } }
    plays = statistics.playCount
    self.seconds = statistics.heard / .seconds(1)
    tracks = statistics.trackCount
    albums = statistics.albumCount
    artists = statistics.artistCount
    newArtists = statistics.newArtistCount
    topArtists = statistics.artists.map { Entry($0) }
    topAlbums = statistics.albums.map { Entry($0) }
    topTracks = statistics.tracks.map { Entry($0) }
    topGenres = statistics.genres.map { Entry($0) }
    days = statistics.dayCount
    longestStreak = statistics.longestStreak
    longestStreakStart = statistics.longestStreakStart?.text
    longestDay = statistics.longestDay?.text
    longestDaySeconds = statistics.longestDayHeard / .seconds(1)
    hours = seconds(statistics.hours)
    weekdays = seconds(statistics.weekdays)
    months = seconds(statistics.months)
  }
}
