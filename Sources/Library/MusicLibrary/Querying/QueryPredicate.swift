import FoundationEssentials
import GRDB
import MusicModel

/// A query as a condition on a row of `track` and its row of `words`: complete, and 0 or 1, never NULL.
struct QueryPredicate {
  /// The condition; every value in it is a parameter.
  let sql: String

  /// The condition that `query` is.
  ///
  /// SQLite's parser bounds how deep conditions may be: negations go down to the leaves, the deepest part stands first,
  /// and long rows are cut into shorter ones.
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

  /// The parts in parentheses, in a tree that is not deep.
  static func join(_ parts: [String], by sign: String) -> String {
    let limit = 64
    guard parts.count > limit else { return "(\(parts.joined(separator: sign)))" }
    let rows = stride(from: 0, to: parts.count, by: limit).map { start in
      join(Array(parts[start..<min(start + limit, parts.count)]), by: sign)
    }
    return join(rows, by: sign)
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
    case .added(let range):
      return "(1\(interval("track.added", try days.seconds(range), &arguments)))"
    default: return "1"
    }
  }

  private static func text(_ words: QueryWords, _ arguments: inout QueryArguments) -> String {
    let isExact = words.kind == .exact
    let needle = arguments.add(isExact ? "\u{1F}\(words.needle)\u{1F}" : words.needle)
    let parts = words.columns.map { column in
      // A title is one value, and may stand without the signs that separate several.
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
    let wanted = QueryPath(pattern)
    guard !wanted.bytes.isEmpty else { return "1" }
    // Joining bytes gives a text of the same bytes.
    let path = """
      (SELECT CAST(CASE WHEN length(directory.path) = 0 THEN track.name ELSE directory.path || '/' || track.name END AS BLOB) \
      FROM directory WHERE directory.id = track.directory)
      """
    let prefix =
      "substr(\(path), 1, \(arguments.add(wanted.bytes.count))) = \(arguments.add(Data(wanted.bytes)))"
    guard wanted.isWhole else { return "(\(prefix))" }
    let behind = "substr(\(path), \(arguments.add(wanted.bytes.count + 1)), 1)"
    return "(\(prefix) AND \(behind) IN (x'', x'2F'))"
  }

  private static func format(_ pattern: TextPattern, _ arguments: inout QueryArguments) -> String {
    let text = pattern.text.lowercased()
    let value = arguments.add(text)
    return pattern.kind == .beginning
      ? "(substr(lower(track.format), 1, \(arguments.add(text.unicodeScalars.count))) = \(value))"
      : "(lower(track.format) = \(value))"
  }
}
