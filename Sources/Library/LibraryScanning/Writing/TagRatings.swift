// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import MusicModel

/// Notes the ratings in the tags of tracks that the user has not rated, as the user's own are noted, and marks them by
/// a sticker of the same value; see `Sticker.tagRating`.
final class TagRatings {
  /// The SQL statement that removes the rating in the tags of one track, whose ID is the parameter with this number, if
  /// another track has a rating, whose stickers it gets.
  static func concession(of track: Int, to other: Int) -> String {
    """
    DELETE FROM sticker WHERE track = ?\(track) AND name IN ('\(Sticker.rating)', '\(Sticker.tagRating)')
    AND EXISTS (SELECT 1 FROM sticker AS mark WHERE mark.track = ?\(track) AND mark.name = '\(Sticker.tagRating)')
    AND EXISTS (SELECT 1 FROM sticker AS former WHERE former.track = ?\(other) AND former.name = '\(Sticker.rating)')
    """
  }

  private let selection: IndexStatement
  private let insertion: IndexStatement
  private let deletion: IndexStatement

  init(_ database: Database) {
    selection = IndexStatement(
      database,
      "SELECT name, value FROM sticker WHERE track = ? AND name IN ('\(Sticker.rating)', '\(Sticker.tagRating)')")
    insertion = IndexStatement(database, StickerTable.insertion)
    deletion = IndexStatement(database, "DELETE FROM sticker WHERE track = ? AND name = ?")
  }

  /// Notes the rating in the tags of a track; `nil` if they have none.
  func note(_ rating: Int?, of track: Int64) throws {
    var stored: [String: String] = [:]
    selection.bind(track)
    while try selection.step() { stored[selection.text(0)] = selection.text(1) }
    let (present, marked) = (stored[Sticker.rating], stored[Sticker.tagRating])
    guard present == nil || present == marked else {
      // The user has rated the track.
      if marked != nil { try deletion.run(track, Sticker.tagRating) }
      return
    }
    let text = rating.map { "\($0)" }
    for name in [Sticker.rating, Sticker.tagRating] where stored[name] != text {
      if let text { try insertion.run(track, name, text) } else { try deletion.run(track, name) }
    }
  }
}
