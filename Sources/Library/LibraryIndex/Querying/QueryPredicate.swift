// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import GRDB
import MusicModel

/// A query as an SQL condition on a row of `track` and the row of `words` that belongs to it. It is exact, and
/// evaluates to 0 or 1, never NULL.
struct QueryPredicate {
  /// The condition, with every value as a parameter.
  let sql: String

  /// Creates the condition for `query`.
  ///
  /// SQLite's parser limits the depth of expressions. Negations are therefore moved down to the leaves, the deepest
  /// part is written first, and long conjunctions and disjunctions are split.
  init(_ query: LibraryQuery, arguments: inout QueryArguments, days: LocalDays) throws {
    sql = try Self.condition(query, isNegated: false, &arguments, days).sql
  }

  private typealias Condition = (sql: String, depth: Int)

  private static func condition(
    _ query: LibraryQuery, isNegated: Bool, _ arguments: inout QueryArguments, _ days: LocalDays
  ) throws -> Condition {
    switch query {
    case .not(let inner): return try condition(inner, isNegated: !isNegated, &arguments, days)
    case .all(let parts), .any(let parts):
      var conditions: [Condition] = []
      for part in parts {
        conditions.append(try condition(part, isNegated: isNegated, &arguments, days))
      }
      var isConjunction = isNegated
      if case .all = query { isConjunction.toggle() }
      conditions.sort { $0.depth > $1.depth }
      let depth = (conditions.first?.depth ?? 0) + 1
      guard !conditions.isEmpty else { return (isConjunction ? "1" : "0", 0) }
      return (join(conditions.map(\.sql), by: isConjunction ? " AND " : " OR "), depth)
    default:
      let leaf = try leaf(query, &arguments, days)
      return (isNegated ? "NOT \(leaf)" : leaf, 0)
    }
  }

  /// Joins conditions with an operator, in parentheses, as a shallow tree.
  static func join(_ parts: [String], by separator: String) -> String {
    let limit = 64
    guard parts.count > limit else { return "(\(parts.joined(separator: separator)))" }
    let rows = stride(from: 0, to: parts.count, by: limit).map { start in
      join(Array(parts[start..<min(start + limit, parts.count)]), by: separator)
    }
    return join(rows, by: separator)
  }

  private static func leaf(
    _ query: LibraryQuery, _ arguments: inout QueryArguments, _ days: LocalDays
  ) throws -> String {
    switch query {
    case .text(.path, let pattern): return path(pattern, &arguments)
    case .text(.format, let pattern): return format(pattern, &arguments)
    case .text(let field, let pattern):
      guard let words = QueryWords(field, pattern), !words.isEmpty else { return "1" }
      return text(words, &arguments)
    case .number(let field, let range):
      let (column, bounds) = QueryNumbers.bounds(field, range)
      return "(\(column) IS NOT NULL\(interval(column, bounds, &arguments)))"
    case .date(.listened, let range):
      return PlayLogTables.hasPlay(interval("play.time", try days.seconds(range), &arguments))
    case .date(let field, let range):
      let column = StickerTable.name(of: field).map { StickerTable.number($0) } ?? "track.added"
      return "(\(column) IS NOT NULL\(interval(column, try days.seconds(range), &arguments)))"
    case .tracks(let ids): return "\(TrackIDFunction.name)(track.id, \(arguments.add(TrackIDFunction.bytes(of: ids))))"
    // A library has replaced the names of playlists by their tracks.
    case .playlist: return "0"
    case .everything, .not, .all, .any: return "1"
    }
  }

  private static func text(_ words: QueryWords, _ arguments: inout QueryArguments) -> String {
    let isExact = words.kind == .exact
    let needle = arguments.add(isExact ? "\u{1F}\(words.needle)\u{1F}" : words.needle)
    let parts = words.columns.map { column in
      // A title is a single value, and may be stored without separators around it.
      isExact && (column == "title" || column == "album")
        ? "instr(char(31) || words.\(column) || char(31), \(needle)) > 0"
        : "instr(words.\(column), \(needle)) > 0"
    }
    return "(\(parts.joined(separator: " OR ")))"
  }

  static func interval(
    _ column: String, _ range: QueryRange<Int64>, _ arguments: inout QueryArguments
  ) -> String {
    var sql = ""
    if let lower = range.lower { sql += " AND \(column) >= \(arguments.add(lower))" }
    if let upper = range.upper { sql += " AND \(column) <= \(arguments.add(upper))" }
    return sql
  }

  private static func path(_ pattern: TextPattern, _ arguments: inout QueryArguments) -> String {
    let queryPath = QueryPath(pattern)
    guard !queryPath.bytes.isEmpty else { return "1" }
    // Concatenation joins the bytes unchanged, whether or not they are valid UTF-8.
    let path = """
      (SELECT CAST(CASE WHEN length(directory.path) = 0 THEN track.name ELSE directory.path || '/' || track.name END AS BLOB) \
      FROM directory WHERE directory.id = track.directory)
      """
    let prefix =
      "substr(\(path), 1, \(arguments.add(queryPath.bytes.count))) = \(arguments.add(Data(queryPath.bytes)))"
    guard queryPath.isWhole else { return "(\(prefix))" }
    let nextByte = "substr(\(path), \(arguments.add(queryPath.bytes.count + 1)), 1)"
    return "(\(prefix) AND \(nextByte) IN (x'', x'2F'))"
  }

  static func format(_ pattern: TextPattern, _ arguments: inout QueryArguments) -> String {
    let text = pattern.text.lowercased()
    let value = arguments.add(text)
    return pattern.kind == .beginning
      ? "(substr(lower(track.format), 1, \(arguments.add(text.unicodeScalars.count))) = \(value))"
      : "(lower(track.format) = \(value))"
  }
}

/// The values of a statement's parameters, in the order of the parameters' numbers.
package struct QueryArguments {
  private var values: [DatabaseValue] = []

  package init() {}

  /// Adds a value and returns its parameter, such as `?3`.
  package mutating func add(_ value: some DatabaseValueConvertible) -> String {
    values.append(value.databaseValue)
    return "?\(values.count)"
  }

  var count: Int { values.count }

  package func bind(to statement: IndexStatement) {
    for value in values { statement.bind(value) }
  }

  var statementArguments: StatementArguments { StatementArguments(values) }
}

/// The number fields of a query, and their columns.
enum QueryNumbers {
  /// Returns the column for a number field of a row of `track`, and the range converted to the column's unit.
  static func bounds(
    _ field: LibraryQuery.NumberField, _ range: QueryRange<Int>
  ) -> (column: String, bounds: QueryRange<Int64>) {
    let plain = QueryRange(from: range.lower.map { Int64($0) }, to: range.upper.map { Int64($0) })
    switch field {
    case .year: return ("track.year", plain)
    case .originalYear: return ("coalesce(\(TrackTag.year(.originalDate)), track.year)", plain)
    case .released:
      let shown = "CASE WHEN NOT \(AdditionalTags.Kind.originalDate.isInTags) THEN track.year END"
      return ("coalesce(\(TrackTag.year(.releaseDate)), \(shown))", plain)
    case .track: return ("track.number", plain)
    case .disc: return ("track.disc", plain)
    case .rate: return ("track.rate", plain)
    case .bits: return ("track.bits", plain)
    case .channels: return ("track.channels", plain)
    case .rating, .albumRating, .plays, .skips: return (number(field), plain)
    // 2 in the sticker means that the user likes it.
    case .liked:
      let (includesOthers, includesLiked) = (plain.contains(0), plain.contains(1))
      return (number(field), QueryRange(from: includesOthers ? nil : 2, to: includesLiked ? nil : 1))
    case .duration:
      return (
        "track.duration",
        QueryRange(
          from: plain.lower.map { milliseconds($0) },
          to: plain.upper.map { second in
            let (end, overflow) = milliseconds(second).addingReportingOverflow(999)
            return overflow ? .max : end
          })
      )
    }
  }

  /// Returns the SQL clause that selects the index with a field. Without such an index, the rows themselves are read.
  static func index(of field: LibraryQuery.NumberField) -> String {
    switch field {
    case .year: "INDEXED BY track_year"
    case .duration: "INDEXED BY track_duration"
    case .originalYear, .released: "NOT INDEXED"
    default: "INDEXED BY \(PropertyIndex.name)"
    }
  }

  /// Returns the number in a sticker; 0 without the sticker.
  private static func number(_ field: LibraryQuery.NumberField) -> String {
    "ifnull(\(StickerTable.name(of: field).map { StickerTable.number($0) } ?? "NULL"), 0)"
  }

  private static func milliseconds(_ seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds < 0 ? .min : .max) : product
  }
}

/// A path below the library's directory that a query asks for, or the beginning of one.
struct QueryPath {
  /// The bytes of the path, without leading slashes and, if it is a whole path, without trailing slashes.
  let bytes: [UInt8]
  /// Whether the path must end where the name of a file or directory ends.
  let isWhole: Bool

  init(_ pattern: TextPattern) {
    let slash = UInt8(ascii: "/")
    var bytes = Array(pattern.text.utf8.drop { $0 == slash })
    isWhole = pattern.kind == .exact
    while isWhole, bytes.last == slash { bytes.removeLast() }
    self.bytes = bytes
  }

  /// The parts of the path before and after the last slash.
  var parts: (directory: [UInt8], name: [UInt8]) {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return ([], bytes) }
    return (Array(bytes[..<slash]), Array(bytes[(slash + 1)...]))
  }

  /// Returns the least byte string that sorts after all those that begin with `prefix`, or `nil` if there is none.
  static func end(of prefix: [UInt8]) -> [UInt8]? {
    var end = prefix
    while let last = end.popLast() {
      if last < .max {
        end.append(last + 1)
        return end
      }
    }
    return nil
  }
}

/// Converts dates to the times when their days begin, in the computer's time zone as SQLite knows it.
struct LocalDays {
  let database: Database

  /// Returns a range of days as a range of seconds since 1970.
  func seconds(_ range: QueryRange<ReleaseDate>) throws -> QueryRange<Int64> {
    QueryRange(
      from: try range.lower.flatMap { try start(of: $0.firstDay) },
      to: try range.upper.flatMap { try start(of: $0.lastDay + 1) }.map { $0 - 1 })
  }

  /// Returns the time when a day begins, in seconds since 1970. The day is given in days since 1970-01-01. Returns
  /// `nil` for days after the year 9999.
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

/// Checks whether single tracks match a query.
struct TrackCheck {
  private let statement: IndexStatement
  private let parameter: Int

  /// Creates a check for `predicate`. The first of `arguments` must be the library.
  init(_ database: Database, _ predicate: QueryPredicate, _ arguments: QueryArguments) {
    let parameter = arguments.count + 1
    self.parameter = parameter
    statement = IndexStatement(
      database,
      """
      SELECT 1 FROM track CROSS JOIN words ON words.id = track.id \
      WHERE track.id = ?\(parameter) AND track.library = ?1 AND \(predicate.sql)
      """)
    arguments.bind(to: statement)
  }

  /// Whether the track with this ID matches the query.
  func matches(_ track: Int64) throws -> Bool {
    statement.rebind(track, to: parameter)
    defer { statement.reset() }
    return try statement.step()
  }
}
