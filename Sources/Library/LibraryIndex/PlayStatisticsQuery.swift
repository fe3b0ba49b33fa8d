// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB
package import MusicModel

/// Sums up what was played in a period, from the play log. Days are those of the computer's time zone.
package struct PlayStatisticsQuery {
  /// The columns of `played_track` by which plays are grouped.
  private enum Grouping {
    case artist, album, track, genre

    var name: String {
      switch self {
      case .artist: "artist"
      case .album: "album"
      case .track: "title"
      case .genre: "genre"
      }
    }

    var artist: String {
      switch self {
      case .artist, .genre: "''"
      case .album: "album_artist"
      case .track: "artist"
      }
    }
  }

  private let database: Database
  private let period: PlayPeriod
  private let limit: Int

  package init(_ database: Database, _ period: PlayPeriod, limit: Int) {
    self.database = database
    self.period = period
    self.limit = limit
  }

  package func statistics() throws -> PlayStatistics {
    var statistics = PlayStatistics()
    try forEach("SELECT count(*), ifnull(sum(heard), 0), count(DISTINCT title || char(31) || artist) FROM \(plays)") {
      statistics.playCount = Int($0.integer(0))
      statistics.heard = .milliseconds($0.integer(1))
      statistics.trackCount = Int($0.integer(2))
    }
    (statistics.artists, statistics.artistCount, statistics.newArtistCount) = try entries(.artist)
    (statistics.albums, statistics.albumCount, _) = try entries(.album)
    (statistics.tracks, _, _) = try entries(.track)
    (statistics.genres, _, _) = try entries(.genre)
    try addDays(to: &statistics)
    try addParts(to: &statistics)
    return statistics
  }

  /// The plays in the period, with the tracks.
  private var plays: String { "play CROSS JOIN played_track ON played_track.id = play.track WHERE {period}" }

  /// Calls `body` with each row of a statement, in which `{period}` stands for the condition on the period.
  private func forEach(_ sql: String, _ body: (IndexStatement) throws -> Void) throws {
    var arguments = QueryArguments()
    let condition = PlayLogTables.condition(period, &arguments)
    let rows = IndexStatement(database, sql.replacing("{period}", with: "(\(condition))"))
    arguments.bind(to: rows)
    while try rows.step() { try body(rows) }
  }

  /// Returns the most played entries, the number of all of them, and that of the new ones.
  private func entries(_ grouping: Grouping) throws -> ([PlayStatistics.Entry], count: Int, newCount: Int) {
    var entries: [PlayStatistics.Entry] = []
    var (count, newCount) = (0, 0)
    var former: Set<String> = []
    if let start = period.start {
      let rows = IndexStatement(
        database,
        """
        SELECT DISTINCT \(grouping.name), \(grouping.artist) FROM play
        CROSS JOIN played_track ON played_track.id = play.track WHERE play.time < ?
        """)
      former = Set(try rows.all(start) { "\($0.text(0))\u{1F}\($0.text(1))" })
    }
    try forEach(
      """
      SELECT \(grouping.name), \(grouping.artist), count(*), sum(heard) FROM \(plays) AND \(grouping.name) <> ''
      GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC, 1
      """
    ) { row in
      count += 1
      let (name, artist) = (row.text(0), row.text(1))
      let isNew = period.start != nil && !former.contains("\(name)\u{1F}\(artist)")
      if isNew { newCount += 1 }
      guard entries.count < limit else { return }
      entries.append(
        PlayStatistics.Entry(
          name: name, artist: artist, playCount: Int(row.integer(2)), heard: .milliseconds(row.integer(3)),
          isNew: isNew))
    }
    return (entries, count, newCount)
  }

  private func addDays(to statistics: inout PlayStatistics) throws {
    var (last, streak, start): (Int?, Int, Int) = (nil, 0, 0)
    try forEach(
      """
      SELECT CAST(julianday(date(play.time, 'unixepoch', 'localtime')) - 2440587.5 AS INTEGER), sum(heard)
      FROM \(plays) GROUP BY 1 ORDER BY 1
      """
    ) { row in
      let (day, heard) = (Int(row.integer(0)), Duration.milliseconds(row.integer(1)))
      statistics.dayCount += 1
      if let last, day == last + 1 { streak += 1 } else { (streak, start) = (1, day) }
      last = day
      if streak > statistics.longestStreak {
        (statistics.longestStreak, statistics.longestStreakStart) = (streak, ReleaseDate(dayNumber: start))
      }
      if heard > statistics.longestDayHeard {
        (statistics.longestDay, statistics.longestDayHeard) = (ReleaseDate(dayNumber: day), heard)
      }
    }
  }

  private func addParts(to statistics: inout PlayStatistics) throws {
    try forEach(
      """
      SELECT CAST(strftime('%H', play.time, 'unixepoch', 'localtime') AS INTEGER),
        CAST(strftime('%w', play.time, 'unixepoch', 'localtime') AS INTEGER),
        CAST(strftime('%m', play.time, 'unixepoch', 'localtime') AS INTEGER), sum(heard)
      FROM \(plays) GROUP BY 1, 2, 3
      """
    ) { row in
      let (hour, weekday, month) = (Int(row.integer(0)), (Int(row.integer(1)) + 6) % 7, Int(row.integer(2)) - 1)
      let heard = Duration.milliseconds(row.integer(3))
      if statistics.hours.indices.contains(hour) { statistics.hours[hour] += heard }
      if statistics.weekdays.indices.contains(weekday) { statistics.weekdays[weekday] += heard }
      if statistics.months.indices.contains(month) { statistics.months[month] += heard }
    }
  }
}
