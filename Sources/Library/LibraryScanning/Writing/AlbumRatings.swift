// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import MusicModel

/// Synchronises the rating of an album over all of its tracks, which carry it (see `Sticker.albumRating`), when tracks
/// come from other albums or are new.
final class AlbumRatings {
  /// Whether no album is rated, which is nearly always the case during a first scan.
  private let isEmpty: Bool
  private let selection: IndexStatement
  private let insertion: IndexStatement
  private let deletion: IndexStatement

  init(_ database: Database) throws {
    let name = "sticker.name = '\(Sticker.albumRating)'"
    let rated = IndexStatement(database, "SELECT 1 FROM sticker INDEXED BY sticker_number WHERE \(name) LIMIT 1")
    isEmpty = try !rated.hasRow()
    selection = IndexStatement(
      database,
      """
      SELECT value, count(*), (SELECT count(*) FROM track WHERE album = ?1)
      FROM track INDEXED BY track_album CROSS JOIN sticker ON sticker.track = track.id AND \(name)
      WHERE album = ?1 GROUP BY value ORDER BY 2 DESC, CAST(value AS INTEGER) DESC LIMIT 1
      """)
    let tracks = "FROM track WHERE album = ?1"
    insertion = IndexStatement(
      database, "INSERT OR REPLACE INTO sticker SELECT id, '\(Sticker.albumRating)', ?2 \(tracks)")
    deletion = IndexStatement(database, "DELETE FROM sticker WHERE track IN (SELECT id \(tracks)) AND \(name)")
  }

  /// Gives all tracks of an album the rating that most of its rated ones have brought along. An album to which less
  /// than a third of its tracks have brought one is another album, and not rated.
  func settle(_ album: Int64) throws {
    if isEmpty { return }
    let found = try selection.first(album) { (value: $0.text(0), count: $0.integer(1), total: $0.integer(2)) }
    guard let (value, count, total) = found, count != total else { return }
    if count >= (total + 2) / 3 { try insertion.run(album, value) } else { try deletion.run(album) }
  }
}
