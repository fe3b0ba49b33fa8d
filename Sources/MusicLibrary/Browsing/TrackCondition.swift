import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// A filter as a condition on rows of `track`, `words` and `directory`: complete, and 0 or 1, never NULL.
struct TrackCondition {
  /// Folds a text; see ``String/caseFolded``.
  static let folding = DatabaseFunction("segue_casefold", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0])?.caseFolded
  }

  /// Rows on which it is a condition, with `album` beside them; `?1` is the first library.
  static let tables = """
    track CROSS JOIN words ON words.id = track.id CROSS JOIN directory ON directory.id = track.directory \
    CROSS JOIN album ON album.id = track.album
    """
  /// The condition; every value in it that comes from elsewhere is a parameter.
  private(set) var sql = ""
  /// The parameters; the first is the first library.
  private(set) var arguments = QueryArguments()

  private let libraries: AskedLibraries

  /// The condition that `filter` is on the tracks of these libraries.
  init(_ filter: TrackFilter, libraries: AskedLibraries) {
    self.libraries = libraries
    var arguments = QueryArguments()
    _ = arguments.add(libraries.first)
    sql = "\(libraries.condition("track.library")) AND \(condition(filter, &arguments).sql)"
    self.arguments = arguments
  }

  /// As for ``QueryPredicate``, negations go down to the leaves, and the deepest part stands first.
  private func condition(
    _ filter: TrackFilter, isNegated: Bool = false, _ arguments: inout QueryArguments
  ) -> (sql: String, depth: Int) {
    switch filter {
    case .not(let inner): return condition(inner, isNegated: !isNegated, &arguments)
    case .all(let parts):
      guard !parts.isEmpty else { return (isNegated ? "0" : "1", 0) }
      let conditions = parts.map { condition($0, isNegated: isNegated, &arguments) }
        .sorted { $0.depth > $1.depth }
      let sql = QueryPredicate.join(conditions.map(\.sql), by: isNegated ? " OR " : " AND ")
      return (sql, conditions[0].depth + 1)
    default:
      let leaf = leaf(filter, &arguments)
      return (isNegated ? "NOT \(leaf)" : leaf, 0)
    }
  }

  private func leaf(_ filter: TrackFilter, _ arguments: inout QueryArguments) -> String {
    switch filter {
    case .everything, .not, .all: return "1"
    case .text(let subject, let comparison, let text, let ignoresCase):
      return condition(subject, comparison, text, ignoresCase, &arguments)
    case .within(let path): return within(RelativePath(path.systemBytes), &arguments)
    case .file(let path):
      return place(RelativePath(path.systemBytes)).map { isFile($0.path, in: $0.library, &arguments) } ?? "0"
    case .modified(let time): return "(track.mtime >= \(arguments.add(time)))"
    case .added(let time): return "(track.added >= \(arguments.add(time)))"
    case .format(let rate, let bits, let channels):
      let parts = [("rate", rate), ("bits", bits), ("channels", channels)].compactMap { column, number in
        number.map { "ifnull(track.\(column), 0) = \(arguments.add(Int64($0)))" }
      }
      return parts.isEmpty ? "1" : "(\(parts.joined(separator: " AND ")))"
    }
  }

  /// The file's path as a text.
  private var file: String {
    let file = """
      CASE WHEN length(directory.path) = 0 THEN '' ELSE CAST(directory.path AS TEXT) || '/' END \
      || CAST(track.name AS TEXT) || CASE WHEN track.segment < 0 THEN '' ELSE '/track' || track.segment END
      """
    guard libraries.areNamed else { return "(\(file))" }
    let names = libraries.all.map { library in
      let digits = library.name.map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined()
      return "WHEN \(library.id) THEN CAST(x'\(digits)' AS TEXT)"
    }
    return "(CASE track.library \(names.joined(separator: " ")) ELSE '' END || '/' || \(file))"
  }

  /// Where something is that is seen under `path`: the library as an expression, and the path there.
  private func place(_ path: RelativePath) -> (library: String, path: RelativePath)? {
    libraries.place(path).map { (libraries.areNamed ? "\($0.library)" : "?1", $0.path) }
  }

  private func within(_ path: RelativePath, _ arguments: inout QueryArguments) -> String {
    if path == .root { return "1" }
    guard let (library, path) = place(path) else { return "0" }
    if path == .root { return "(track.library = \(library))" }
    let (lower, upper) = path.contentBounds
    let directories = """
      track.directory IN (SELECT id FROM directory WHERE library = \(library) AND (path = \(arguments.add(Data(path.bytes))) \
      OR path >= \(arguments.add(Data(lower))) AND path < \(arguments.add(Data(upper)))))
      """
    return "(\(directories) OR \(isFile(path, in: library, &arguments)))"
  }

  private func isFile(
    _ path: RelativePath, in library: String, _ arguments: inout QueryArguments
  ) -> String {
    """
    (track.directory IN (SELECT id FROM directory WHERE library = \(library) AND path = \(arguments.add(Data(path.parent.bytes)))) \
    AND track.name = \(arguments.add(Data(path.name))))
    """
  }

  private func condition(
    _ subject: TrackFilter.Subject, _ comparison: TrackFilter.Comparison, _ text: String, _ ignoresCase: Bool,
    _ arguments: inout QueryArguments
  ) -> String {
    if text.isEmpty { return Self.emptiness(subject, comparison) }
    let wanted = ignoresCase ? text.caseFolded : text
    let column: String
    switch subject {
    case .absentField: return "0"
    case .file: column = file
    case .field(let field): column = field.columnWithFallback
    case .anyField:
      column = TrackTag.allColumns
    }
    let needle = arguments.add(Self.edges(wanted, comparison))
    let value = ignoresCase ? Self.folded(column) : "(\(column))"
    let edged =
      switch comparison {
      case .contains: value
      case .begins: "char(31) || \(value)"
      case .equals: "char(31) || \(value) || char(31)"
      }
    let exact = "ifnull(instr(\(edged), \(needle)), 0) > 0"
    guard let rough = Self.rough(subject, comparison, text, &arguments) else { return "(\(exact))" }
    return "(\(rough) AND \(exact))"
  }

  /// The folded text; SQLite itself knows the letters of ASCII, and takes less time for them.
  private static func folded(_ column: String) -> String {
    """
    (CASE WHEN length(CAST(\(column) AS BLOB)) = length(\(column)) THEN lower(\(column)) \
    ELSE segue_casefold(\(column)) END)
    """
  }

  private static func edges(_ text: String, _ comparison: TrackFilter.Comparison) -> String {
    switch comparison {
    case .contains: text
    case .begins: "\u{1F}\(text)"
    case .equals: "\u{1F}\(text)\u{1F}"
    }
  }

  private static func emptiness(_ subject: TrackFilter.Subject, _ comparison: TrackFilter.Comparison)
    -> String
  {
    if comparison != .equals { return "1" }
    switch subject {
    case .field(let field): return "(\(field.column) IS NULL)"
    case .absentField: return "1"
    case .anyField, .file: return "0"
    }
  }

  /// What holds wherever the exact condition does, and takes less time: words are in a full-text index, and folded
  /// already.
  private static func rough(
    _ subject: TrackFilter.Subject, _ comparison: TrackFilter.Comparison, _ text: String,
    _ arguments: inout QueryArguments
  ) -> String? {
    guard let field = wordField(subject) else { return nil }
    if comparison == .equals, field != .anywhere,
      let match = FullTextMatch(.text(field, TextPattern(text, kind: .exact)))
    {
      return
        "track.id IN (SELECT rowid FROM search WHERE search MATCH \(arguments.add(match.expression)))"
    }
    // Of what is no plain letter, folding may make something else in the text than in what is looked for.
    let runs = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard field != .anywhere, text.utf8.allSatisfy({ $0 < 0x80 }),
      let longest = runs.max(by: { $0.count < $1.count }),
      let words = QueryWords(field, TextPattern(String(longest), kind: .words)), !words.isEmpty
    else { return nil }
    let needle = arguments.add(words.phrase)
    return "(\(words.columns.map { "instr(words.\($0), \(needle)) > 0" }.joined(separator: " OR ")))"
  }

  private static func wordField(_ subject: TrackFilter.Subject) -> LibraryQuery.TextField? {
    guard case .field(let field) = subject else { return nil }
    switch field {
    // Stands for the album's artists, too.
    case .artist, .albumArtist: return .artist
    case .album: return .album
    case .title: return .title
    case .genre: return .genre
    case .composer: return .composer
    default: return nil
    }
  }
}
