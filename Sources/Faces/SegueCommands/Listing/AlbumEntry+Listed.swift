import MusicModel
import UnicodeText

extension AlbumEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .left, .right, .right], flexible: [0, 1]) }
  static var headings: [String] { ["Artist", "Album", "Year", "Tracks", "Time"] }

  var cells: [String] {
    [
      artist ?? "", title, date.map { "\($0.year)" } ?? "",
      trackCount == 1 ? "1 track" : "\(trackCount) tracks", TimeText.text(duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(title).adding(artist, as: "artist").adding(date.map { "\($0.year)" }, as: "year")
      .adding(ItemCount.text(trackCount, "track")).adding(time: duration)
  }

  var reference: ListedReference? { ListedReference(self) }

  var object: ListedObject {
    var object = ListedObject(.album)
    object.id = id
    object.title = title
    object.artist = artist
    object.artists = artist.map { [$0] } ?? []
    object.date = date?.text
    object.compilation = isCompilation
    object.tracks = trackCount
    object.seconds = duration / .seconds(1)
    object.added = added
    return object
  }
}
