// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerPort
import Screens
import Terminal
import UnicodeText
import UserSettings

/// The `history` command and its subcommands: the play log.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was played, and when.",
    discussion: """
      Every play that counts (half of the track, or four minutes) is logged in the library index, and nowhere else; `history = false` in \
      the settings file turns that off. `segue stats` sums it up.

      Examples:
        history
        history --period 7d --json
        history clear --period ..2025
      """,
    subcommands: [HistoryListCommand.self, HistoryClearCommand.self], defaultSubcommand: HistoryListCommand.self)
}

/// The `history list` command: lists plays, the latest first.
struct HistoryListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List plays, the latest first.",
    discussion: """
      Examples:
        history --limit 20
        history --period 2026-05
      """)

  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let period = try period.chosen
    let flow = try session.readFlow(options.library.request(in: session))
    let isAny = try ListingRun(session: session, options: options).print { window throws(LibraryError) in
      try flow.index.plays(period, window: window)
    } as: { (play: LoggedPlay) in
      play
    }
    if !isAny, options.window.offset == nil, options.window.limit != 0, !options.window.json {
      session.printRemark(PeriodOptions.noPlays(self.period.period))
    }
  }
}

/// The `history clear` command: removes plays from the log.
struct HistoryClearCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove plays from the play log.",
    discussion: """
      Without --period, removes all plays. Play counts and dates of tracks are kept.

      Examples:
        history clear
        history clear --period ..2025
      """)

  @OptionGroup var period: PeriodOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let period = try period.chosen
    let flow = try session.readFlow(library.request(in: session))
    let count = try flow.index.removePlays(period)
    session.confirm("removed \(ItemCount.text(count, "play"))")
  }
}

/// The options for a period in which something was played.
struct PeriodOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Period: 2026, 2026-05, 2026-05-01, 30d (the last 30 days), or a range: 2025..2026, ..3m (up to three months ago). Default: everything.",
      valueName: "period"))
  var period: String?

  /// The period that the options choose.
  var chosen: PlayPeriod {
    get throws(PlayerError) { try period.map { text throws(PlayerError) in try PlayPeriod(text) } ?? PlayPeriod() }
  }

  /// Returns the message that nothing was played in a period, as the user wrote it; `nil` for all time.
  static func noPlays(_ period: String?) -> String {
    let hint = "; a track is logged after half of it, or four minutes: see `segue help ratings`"
    return "no plays in the play log" + (period.map { " for \($0.brief)" } ?? hint)
  }
}

extension PlayPeriod {
  /// Parses a day, a month, a year, a number of days, weeks, months or years up to today, or a range of these.
  init(_ text: String) throws(PlayerError) {
    let today = CalendarDay.today
    guard let date = ReleaseDate(year: today.year, month: today.month, day: today.day),
      case .date(_, let range)? = try? LibraryQueryParser(today: date).parse("played:\(text)")
    else {
      throw PlayerError(
        .usage, "invalid period \"\(text.brief)\": use 2026, 2026-05, 2026-05-01, 30d or a range such as 2025..2026")
    }
    self.init(
      from: range.lower.flatMap { Self.start(of: $0.firstDay) },
      until: range.upper.flatMap { Self.start(of: $0.lastDay + 1) })
  }

  private static func start(of dayNumber: Int) -> Int64? {
    guard let date = ReleaseDate(dayNumber: dayNumber) else { return nil }
    return CalendarDay(year: date.year, month: date.month ?? 1, day: date.day ?? 1).start
  }
}

extension LoggedPlay: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .left, .left, .right], flexible: [1, 2, 3]) }
  static var headings: [String] { ["Played", "Title", "Artist", "Album", "Heard"] }

  /// The day and the time of day.
  private var timeText: String {
    guard let local = LocalTime(secondsSince1970: time) else { return "" }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(local.day.text) \(padded(local.hour)):\(padded(local.minute))"
  }

  var cells: [String] {
    [timeText, track.title, track.artistCredit, track.album ?? "", TimeText.text(heard)]
  }

  var plain: PlainLine {
    PlainLine(track.title).adding(track.artistCredit, as: "artist").adding(track.album, as: "album")
      .adding(timeText, as: "played").adding(time: heard)
  }

  var object: ListedObject {
    var object = ListedObject(.play)
    object.setTrack(track)
    object.time = time
    object.heard = heard / .seconds(1)
    object.origin = origin.isEmpty ? nil : origin
    object.compilation = nil
    return object
  }
}
