// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB
import UnicodeText

/// Writes the table `joined_word`: the words of all names that have something between their letters, and how they are
/// typed without it; see `JoinedWord`. A search for "acdc" thus also looks for the search words "ac dc".
///
/// A row belongs to no track, and remains when no name has the word any more, until ``fill()`` writes the table anew.
/// It finds nothing then.
package final class JoinedWords {
  /// `search_terms` is a view of the words in the full-text index, which stores nothing.
  static let creation = """
    CREATE TABLE joined_word (
      id INTEGER PRIMARY KEY,
      joined TEXT NOT NULL,               -- the letters alone
      words TEXT NOT NULL,                -- searchWords, without the spaces around them
      checksum INTEGER,
      UNIQUE (joined, words)
    );
    CREATE VIRTUAL TABLE search_terms USING fts5vocab (search, row);
    """
  private static let cacheLimit = 50_000

  private let database: Database
  private let insertion: IndexStatement
  /// The words that are known to be in the table.
  private var written: Set<JoinedWord> = []

  package init(_ database: Database) {
    self.database = database
    let checksum = RowChecksum.joinedWords.expression { $0 == "joined" ? "?1" : "?2" }
    insertion = IndexStatement(
      database, "INSERT OR IGNORE INTO joined_word (joined, words, checksum) VALUES (?1, ?2, \(checksum))")
  }

  /// Adds the words of `name`.
  package func add(_ name: String) throws {
    for word in JoinedWord.all(in: name) where !written.contains(word) {
      try insertion.run(word.joined, word.words)
      if written.count >= Self.cacheLimit { written.removeAll(keepingCapacity: true) }
      written.insert(word)
    }
  }

  /// Replaces the contents of the table by the words of all tracks and albums.
  func fill() throws {
    try database.execute(sql: "DELETE FROM joined_word")
    written = []
    for (columns, table) in [
      (
        [
          "title", "sort_title", "artists", "sort_artist", "album_artists", "sort_album_artist", "album_title",
          "sort_album", "genres", "composers",
        ], "track"
      ), (["title", "artist"], "album"),
    ] {
      let rows = IndexStatement(database, "SELECT \(columns.joined(separator: ", ")) FROM \(table)")
      while try rows.step() {
        for column in columns.indices { for name in rows.texts(Int32(column)) { try add(name) } }
      }
    }
  }
}
