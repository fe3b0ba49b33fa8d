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
    isEmpty = try !rated.step()
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
    selection.bind(album)
    guard try selection.step() else { return }
    let (value, count, total) = (selection.text(0), selection.integer(1), selection.integer(2))
    selection.reset()
    if count == total { return }
    let isRated = count >= (total + 2) / 3
    let statement = isRated ? insertion : deletion
    statement.bind(album)
    if isRated { statement.bind(value) }
    try statement.run()
  }
}
