import MusicLibrary
import MusicModel
import UnicodeText

/// Albums as lines: artist, title, year, tracks, time.
enum AlbumListing {
  /// The lines; with `columns`, none is wider.
  static func lines(_ albums: [Album], columns: Int?) -> [String] {
    let rows = albums.map { album in
      [
        (album.artist ?? "").safeForTerminal, album.title.safeForTerminal,
        album.date.map { "\($0.year)" } ?? "",
        album.tracks.count == 1 ? "1 track" : "\(album.tracks.count) tracks", TimeText.text(album.duration),
      ]
    }
    return Table(alignments: [.left, .left, .left, .right, .right], flexible: [0, 1]).lines(
      rows, columns: columns)
  }
}
