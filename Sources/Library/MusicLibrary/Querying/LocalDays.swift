import GRDB
import MusicModel

/// When days begin here: in the time zone of this computer, as SQLite knows it.
struct LocalDays {
  let database: Database

  /// The seconds since 1970 that are within `range`.
  func seconds(_ range: QueryRange<ReleaseDate>) throws -> QueryRange<Int64> {
    QueryRange(
      from: try range.lower.flatMap { try start(of: $0.firstDay) },
      to: try range.upper.flatMap { try start(of: $0.lastDay + 1) }.map { $0 - 1 })
  }

  /// When a day, counted from 1970-01-01, begins; `nil` beyond the year 9999.
  private func start(of day: Int) throws -> Int64? {
    guard let date = ReleaseDate(dayNumber: day) else { return nil }
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let text = "\(padded(date.year, 4))-\(padded(date.month ?? 1, 2))-\(padded(date.day ?? 1, 2))"
    return try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT CAST(strftime('%s', ?, 'utc') AS INTEGER)"), arguments: [text])
  }
}
