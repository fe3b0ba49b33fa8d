// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage
import Tagging
import UnicodeText

/// A filter as an SQL condition on rows of `track`, and of `directory` if it ``needsDirectory``. It is exact, and
/// evaluates to 0 or 1, never NULL.
package struct TrackCondition {
  /// The condition, with every external value as a parameter. It does not check whether a track belongs to these
  /// libraries and has an album.
  package private(set) var sql = ""
  /// The parameters of the condition; the first one is the first library.
  package private(set) var arguments = QueryArguments()
  /// Whether the condition refers to the table `directory`.
  private(set) var needsDirectory = false
  /// Whether an index can narrow the condition, so that not every track must be read.
  private(set) var isSelective = false

  private let libraries: LibraryScope
  /// The text comparisons, each with the number of the parameter that it is bound to.
  private var matchers: [(parameter: Int32, matcher: TextMatcher)] = []

  /// Creates the condition for `filter` on tracks of these libraries.
  package init(_ filter: TrackFilter, libraries: LibraryScope) {
    self.libraries = libraries
    _ = arguments.add(libraries.first)
    sql = condition(filter, isOuter: true).sql
  }

  /// Whether a text comparison has given up, so that the result is incomplete.
  var isIncomplete: Bool { matchers.contains { $0.matcher.isIncomplete } }

  /// The FROM and WHERE clauses that select the matching tracks joined with their albums, in library order unless the
  /// statement sorts them otherwise.
  var albumRows: String {
    let directory = needsDirectory ? "CROSS JOIN directory ON directory.id = track.directory" : ""
    guard !isSelective else {
      return """
        track \(directory) CROSS JOIN album ON album.id = track.album WHERE \(libraryCondition(byIndex: false)) AND \(sql)
        """
    }
    return """
      album CROSS JOIN track ON track.album = album.id \(directory) WHERE \(libraries.condition("album.library")) AND \(sql)
      """
  }

  /// Returns the FROM and WHERE clauses that select the matching tracks, without their albums and in no particular
  /// order.
  func rows(fromIndex isIndexed: Bool = false) -> String {
    let directory = needsDirectory ? "CROSS JOIN directory ON directory.id = track.directory" : ""
    return """
      track \(isIndexed ? "INDEXED BY \(NameIndex.name)" : "") \(directory) WHERE \(libraryCondition(byIndex: isIndexed)) AND track.album IS NOT NULL AND \(sql)
      """
  }

  /// Returns the condition that a track belongs to these libraries. Using the index of libraries is slower than reading
  /// the tracks, unless the index covers all columns of the query.
  private func libraryCondition(byIndex isIndexed: Bool) -> String {
    libraries.condition(isIndexed ? "track.library" : "+track.library")
  }

  /// Binds the parameters of a statement. This condition must exist for as long as the statement is used.
  func bind(to statement: IndexStatement) {
    arguments.bind(to: statement)
    for (parameter, matcher) in matchers { statement.rebind(matcher, to: parameter) }
  }

  /// Translates a filter. Negations are moved down to the leaves and the deepest part is written first, as in
  /// ``QueryPredicate``.
  private mutating func condition(
    _ filter: TrackFilter, isNegated: Bool = false, isOuter: Bool
  ) -> (sql: String, depth: Int) {
    switch filter {
    case .not(let inner): return condition(inner, isNegated: !isNegated, isOuter: false)
    case .all(let parts):
      guard !parts.isEmpty else { return (isNegated ? "0" : "1", 0) }
      var conditions: [(sql: String, depth: Int)] = []
      for part in parts { conditions.append(condition(part, isNegated: isNegated, isOuter: isOuter && !isNegated)) }
      conditions.sort { $0.depth > $1.depth }
      let sql = QueryPredicate.join(conditions.map(\.sql), by: isNegated ? " OR " : " AND ")
      return (sql, conditions[0].depth + 1)
    default:
      let leaf = leaf(filter, isOuter: isOuter)
      return (isNegated ? "NOT \(leaf)" : leaf, 0)
    }
  }

  private mutating func leaf(_ filter: TrackFilter, isOuter: Bool) -> String {
    switch filter {
    case .everything, .not, .all: return "1"
    case .text(let subject, let comparison, let text, let ignoresCase, let ignoresDiacritics):
      if text.isEmpty { return Self.emptyTextCondition(subject, comparison) }
      guard subject != .absentField else { return "0" }
      let matcher = TextMatcher(comparison, text, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
      let exact = exact(subject, comparison, text, matcher)
      guard !ignoresDiacritics, let prefilter = prefilter(subject, comparison, text) else { return "(\(exact))" }
      isSelective = isSelective || isOuter
      return "(\(prefilter) AND \(exact))"
    case .within(let path):
      let path = RelativePath(path.systemBytes)
      isSelective = isSelective || isOuter && path != .root
      return within(path)
    case .file(let path):
      isSelective = isSelective || isOuter
      return resolve(RelativePath(path.systemBytes)).map { isFile($0.path, in: $0.library) } ?? "0"
    case .modified(let time): return "(track.mtime >= \(arguments.add(time)))"
    case .added(let time): return "(track.added >= \(arguments.add(time)))"
    case .priority(let least): return least <= 0 ? "1" : "0"
    case .format(let rate, let bits, let channels):
      var parts: [String] = []
      for case (let column, let number?) in [("rate", rate), ("bits", bits), ("channels", channels)] {
        parts.append("ifnull(track.\(column), 0) = \(arguments.add(Int64(number)))")
      }
      return parts.isEmpty ? "1" : "(\(parts.joined(separator: " AND ")))"
    }
  }

  /// The file's path as an SQL text expression.
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

  /// Returns the library that contains `path`, as an SQL expression, and the path within it; `nil` if no library
  /// contains it.
  private func resolve(_ path: RelativePath) -> (library: String, path: RelativePath)? {
    libraries.resolve(path).map { (libraries.areNamed ? "\($0.library)" : "?1", $0.path) }
  }

  private mutating func within(_ path: RelativePath) -> String {
    if path == .root { return "1" }
    guard let (library, path) = resolve(path) else { return "0" }
    if path == .root { return "(track.library = \(library))" }
    let (lower, upper) = path.contentBounds
    let directories = """
      track.directory IN (SELECT id FROM directory WHERE library = \(library) AND (path = \(arguments.add(Data(path.bytes))) \
      OR path >= \(arguments.add(Data(lower))) AND path < \(arguments.add(Data(upper)))))
      """
    return "(\(directories) OR \(isFile(path, in: library)))"
  }

  private mutating func isFile(_ path: RelativePath, in library: String) -> String {
    """
    (track.directory IN (SELECT id FROM directory WHERE library = \(library) AND path = \(arguments.add(Data(path.parent.bytes)))) \
    AND track.name = \(arguments.add(Data(path.name))))
    """
  }

  /// Returns the condition that `matcher` matches a value of the subject.
  private mutating func exact(
    _ subject: TrackFilter.Subject, _ comparison: TrackFilter.Comparison, _ text: String, _ matcher: TextMatcher
  ) -> String {
    let parameter = arguments.add(DatabaseValue.null)
    matchers.append((Int32(clamping: arguments.count), matcher))
    switch subject {
    case .absentField: return "0"
    case .file:
      needsDirectory = true
      return "segue_compares(\(parameter), \(file))"
    case .field(.additional(let kind)):
      return "(\(kind.isInTags) AND segue_tag_compares(\(parameter), track.tags, \(kind.rawValue)))"
    case .field(let field): return "segue_compares(\(parameter), \(field.columnWithFallback))"
    case .anyField:
      // Numbers and dates contain only digits and dashes.
      let mayBeNumber =
        comparison == .matches || text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        || text.utf8.contains { $0 >= 0x80 }
      let columns = (TrackTag.textFields + (mayBeNumber ? TrackTag.numberFields : [])).map(\.column)
      return """
        segue_compares(\(parameter), \(columns.joined(separator: ", "))) \
        OR (track.tags IS NOT NULL AND segue_tag_compares(\(parameter), track.tags, NULL))
        """
    }
  }

  /// Returns the condition for an empty text, which equals a missing field.
  private static func emptyTextCondition(
    _ subject: TrackFilter.Subject, _ comparison: TrackFilter.Comparison
  ) -> String {
    if comparison != .equals { return "1" }
    switch subject {
    case .field(let field): return "(\(field.columnWithFallback) IS NULL)"
    case .absentField: return "1"
    case .anyField, .file: return "0"
    }
  }

  /// Returns a condition that the full-text index can evaluate, and that is true wherever the exact one is; `nil` if
  /// there is none. The words in the index are folded more than the text of a filter, so the condition may be true of
  /// more tracks.
  private mutating func prefilter(
    _ subject: TrackFilter.Subject, _ comparison: TrackFilter.Comparison, _ text: String
  ) -> String? {
    guard comparison == .equals, case .field(let field) = subject, let words = field.wordField,
      let match = FullTextMatch(.text(words, TextPattern(text, kind: .exact)))
    else { return nil }
    return "track.id IN (SELECT rowid FROM search WHERE search MATCH \(arguments.add(match.expression)))"
  }
}

extension TrackTag {
  /// The field of the full-text index that contains the words of this tag; `nil` if there is none.
  fileprivate var wordField: LibraryQuery.TextField? {
    switch self {
    // This field also covers album artists.
    case .artist, .albumArtist: .artist
    case .album: .album
    case .title: .title
    case .genre: .genre
    case .composer: .composer
    default: nil
    }
  }
}
