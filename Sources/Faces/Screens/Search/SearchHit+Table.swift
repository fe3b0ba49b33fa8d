// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import Terminal
import UnicodeText

/// The hit as a row of a table.
extension SearchHit {
  /// The columns of a table of hits.
  package static var table: Table { Table(alignments: [.left, .left, .left, .right], flexible: [1, 2]) }

  /// The cells of the row, starting with the kind and the name of the hit. Not yet escaped for a terminal.
  package var cells: [String] {
    switch self {
    case .artist(let artist):
      ["artist", artist.name, "", artist.trackCount == 1 ? "1 track" : "\(artist.trackCount) tracks"]
    case .album(let album):
      ["album", album.title, album.artist ?? "", TimeText.text(album.duration)]
    case .track(let entry):
      [
        "track", entry.track.title, entry.track.artistCredit,
        TimeText.text(entry.track.duration),
      ]
    }
  }
}
