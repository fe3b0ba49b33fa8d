import GRDB
import MusicModel

/// Finds the texts that very many tracks have, and these tracks.
struct SnapshotTexts {
  private let database: Database
  /// How many tracks are very many.
  private let wide: Int

  init(_ database: Database, wide: Int) {
    self.database = database
    self.wide = wide
  }

  /// Gives the tracks of each such text, by the expression that finds them.
  func forEach(_ body: (_ expression: String, _ tracks: TrackSet) throws -> Void) throws {
    try database.execute(
      sql: "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search, col)")
    var counts: [(word: String, counts: [String: Int])] = []
    let rows = try IndexStatement(
      database, "SELECT term, col, doc FROM temp.vocabulary WHERE doc * 6 >= ? ORDER BY term")
    rows.bind(wide)
    while try rows.step() {
      let word = rows.text(0)
      if counts.last?.word != word { counts.append((word, [:])) }
      counts[counts.count - 1].counts[rows.text(1)] = Int(rows.integer(2))
    }
    rows.reset()
    for (word, counts) in counts {
      for field in LibraryQuery.TextField.allCases {
        for kind in [TextPattern.Kind.beginning, .words] {
          let pattern = TextPattern(word, kind: kind)
          // What is in no column so often is not in all of them together.
          guard let words = QueryWords(field, pattern), words.phrase == word,
            words.columns.reduce(0, { $0 + (counts[$1] ?? 0) }) >= wide,
            let match = FullTextMatch(.text(field, pattern))
          else { continue }
          let tracks = try self.tracks(match.expression)
          if tracks.count >= wide { try body(match.expression, tracks) }
        }
      }
    }
    try database.execute(sql: "DROP TABLE temp.vocabulary")
  }

  private func tracks(_ expression: String) throws -> TrackSet {
    let rows = try IndexStatement(database, "SELECT rowid FROM search WHERE search MATCH ?")
    rows.bind(expression)
    var tracks = TrackSet()
    while try rows.step() { tracks.insert(rows.integer(0)) }
    return tracks
  }
}
