import MusicModel
import UnicodeText

extension SearchHit: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .left, .right], flexible: [1, 2]) }
  static var headings: [String] { ["Kind", "Name", "Artist", "Time"] }

  var cells: [String] {
    switch self {
    case .artist(let artist):
      ["artist", artist.name, "", artist.trackCount == 1 ? "1 track" : "\(artist.trackCount) tracks"]
    case .album(let album):
      ["album", album.title, album.artist ?? "", TimeText.text(album.duration)]
    case .track(let entry):
      [
        "track", entry.track.title, entry.track.artists.joined(separator: ", "),
        TimeText.text(entry.track.duration),
      ]
    }
  }

  var plain: PlainLine {
    switch self {
    case .artist(let artist): ListedName(kind: .artist, entry: artist).plain.behind("artist")
    case .album(let album): album.plain.behind("album")
    case .track(let entry): entry.plain.behind("track")
    }
  }

  var reference: ListedReference? {
    switch self {
    case .artist(let artist): ListedReference(.artist, name: artist.name)
    case .album(let album): ListedReference(album)
    case .track(let entry): ListedReference(entry)
    }
  }

  var object: ListedObject {
    switch self {
    case .artist(let artist): ListedName(kind: .artist, entry: artist).object
    case .album(let album): album.object
    case .track(let track): track.object
    }
  }
}
