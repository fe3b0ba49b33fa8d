/// Reads the numbers and dates of a query.
struct LibraryQueryValue {
  let text: String
  /// The 1-based column where it begins.
  let column: Int

  /// A range of numbers: `5`, `1..5`, `1..`, `..5`, `..`; for years also `1950s`.
  func numbers(_ field: LibraryQuery.NumberField) throws(LibraryQueryError) -> LibraryQuery {
    let range: QueryRange<Int>?
    switch field {
    case .year: range = decade ?? self.range { Int($0) }
    case .duration: range = self.range { Self.seconds($0) }
    default: range = self.range { Int($0) }
    }
    guard let range else { throw fault(Self.hint(field)) }
    guard !range.isEmpty else { throw fault("the range ends before it begins") }
    return .number(field, range)
  }

  /// A range of days: `2026`, `2026-05`, `2026-05-01`, `7d` (as of today), and ranges of these.
  func dates(today: ReleaseDate) throws(LibraryQueryError) -> LibraryQuery {
    var range = self.range { Self.date($0, today: today) }
    if Self.isRelative(text) { range?.upper = nil }
    guard let range else {
      throw fault("a date is written like 2026, 2026-05, 2026-05-01, 7d.. or 2026-01..2026-03")
    }
    guard !range.isEmpty else { throw fault("the range ends before it begins") }
    return .added(range)
  }

  private func fault(_ message: String) -> LibraryQueryError {
    LibraryQueryError(column: column, message: message)
  }

  private static func hint(_ field: LibraryQuery.NumberField) -> String {
    switch field {
    case .year: "a year is written like 1957, 1957..1965, 1957.. or 1950s"
    case .duration: "a duration is written like 4:30, 270 (in seconds), 3:00..5:30 or 10:00.."
    default: "\(field.rawValue) is a number, written like 2, 1..3 or 2.."
    }
  }

  private func range<Bound>(_ value: (Substring) -> Bound?) -> QueryRange<Bound>? {
    let bytes = text.utf8
    guard let dots = bytes.indices.first(where: { bytes[$0...].starts(with: "..".utf8) }) else {
      return value(text[...]).map { QueryRange(from: $0, to: $0) }
    }
    let (first, last) = (text[..<dots], text[bytes.index(dots, offsetBy: 2)...])
    let (lower, upper) = (value(first), value(last))
    guard lower != nil || first.isEmpty, upper != nil || last.isEmpty else { return nil }
    return QueryRange(from: lower, to: upper)
  }

  private var decade: QueryRange<Int>? {
    guard text.utf8.count == 5, text.last?.lowercased() == "s", let year = Int(text.dropLast()), year >= 1000,
      year % 10 == 0
    else { return nil }
    return QueryRange(from: year, to: year + 9)
  }

  /// Seconds: `270`, `4:30`, `1:02:03`.
  private static func seconds(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let first = parts.first.flatMap({ Int($0) }), first >= 0 || parts.count == 1
    else { return nil }
    var total = first
    for part in parts.dropFirst() {
      guard part.utf8.count <= 2, let value = Int(part), (0..<60).contains(value) else { return nil }
      let (product, overflow) = total.multipliedReportingOverflow(by: 60)
      let (sum, overflowOfSum) = product.addingReportingOverflow(value)
      guard !overflow, !overflowOfSum else { return nil }
      total = sum
    }
    return total
  }

  private static func date(_ text: Substring, today: ReleaseDate) -> ReleaseDate? {
    if let days = days(text) { return ReleaseDate(dayNumber: today.firstDay - days) ?? ReleaseDate(year: 1) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, let year = numbers.first, numbers.count <= 3 else { return nil }
    return ReleaseDate(
      year: year, month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
  }

  private static func isRelative(_ text: String) -> Bool { days(text[...]) != nil }

  /// How many days ago: `7d`, `2w`; a month (`3m`) has 30 days here, a year (`1y`) 365.
  private static func days(_ text: Substring) -> Int? {
    let units: [Character: Int] = ["d": 1, "w": 7, "m": 30, "y": 365]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
      (0...1_000_000).contains(count)
    else { return nil }
    return count * unit
  }
}
