// SPDX-License-Identifier: GPL-3.0-or-later

/// Stores the play log: every play that was counted.
public protocol PlayLogRepository: Sendable {
  /// Adds a play to the log; returns its ID there.
  func log(_ play: LoggedPlay) throws(LibraryError) -> Int64

  /// Changes how much was heard of a play.
  func setHeard(_ heard: Duration, ofPlay id: Int64) throws(LibraryError)

  /// Returns a page of the plays in a time, the latest first.
  func plays(
    _ period: PlayPeriod, window: LibraryPage<LoggedPlay>.Window
  ) throws(LibraryError) -> LibraryPage<LoggedPlay>

  /// Removes the plays in a time from the log, and returns their number. Counts are not changed.
  func removePlays(_ period: PlayPeriod) throws(LibraryError) -> Int

  /// Returns what was played in a time.
  ///
  /// - Parameter limit: The maximum number of artists, albums, tracks and genres.
  func statistics(_ period: PlayPeriod, limit: Int) throws(LibraryError) -> PlayStatistics
}

/// A play in the log.
public struct LoggedPlay: Sendable, Hashable {
  /// The time when the play began, in seconds since 1970.
  public var time: Int64
  /// How much of the track was heard. Parts that were sought over do not count.
  public var heard: Duration
  /// The title of what was in the queue, such as an album or a playlist; empty if it had none.
  public var origin: String
  /// The track as it was when it played: its path, names, genres and duration.
  public var track: Track

  public init(time: Int64, heard: Duration, origin: String, track: Track) {
    self.time = time
    self.heard = heard
    self.origin = origin
    self.track = track
  }
}

/// A time in which something was played, in seconds since 1970. `nil` sets no limit.
public struct PlayPeriod: Sendable, Hashable {
  public var start: Int64?
  /// The time after the last second.
  public var end: Int64?

  public init(from start: Int64? = nil, until end: Int64? = nil) {
    self.start = start
    self.end = end
  }
}

/// What was played in a time.
public struct PlayStatistics: Sendable, Hashable {
  /// Something that was played: an artist, an album, a track or a genre.
  public struct Entry: Sendable, Hashable {
    public var name: String
    /// The artist of an album or a track; empty for others.
    public var artist: String
    public var playCount: Int
    public var heard: Duration
    /// Whether it was never played before this time, if that has a start.
    public var isNew: Bool

    public init(name: String, artist: String = "", playCount: Int, heard: Duration, isNew: Bool) {
      self.name = name
      self.artist = artist
      self.playCount = playCount
      self.heard = heard
      self.isNew = isNew
    }
  }

  public var playCount = 0
  public var heard = Duration.zero
  public var trackCount = 0
  public var albumCount = 0
  public var artistCount = 0
  /// The number of artists that were never played before this time; 0 if that has no start.
  public var newArtistCount = 0
  /// The most played, first.
  public var artists: [Entry] = []
  public var albums: [Entry] = []
  public var tracks: [Entry] = []
  public var genres: [Entry] = []
  /// The number of days on which something was played.
  public var dayCount = 0
  /// The longest sequence of such days, and the day on which it began.
  public var longestStreak = 0
  public var longestStreakStart: ReleaseDate?
  /// The day on which most was heard, and how much that was.
  public var longestDay: ReleaseDate?
  public var longestDayHeard = Duration.zero
  /// How much was heard in each hour of the day, from 0 to 23.
  public var hours = [Duration](repeating: .zero, count: 24)
  /// How much was heard on each day of the week, from Monday on.
  public var weekdays = [Duration](repeating: .zero, count: 7)
  /// How much was heard in each month, from January on.
  public var months = [Duration](repeating: .zero, count: 12)

  public init() {}
}
