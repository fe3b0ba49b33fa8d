import MusicModel
import UnicodeText

extension TrackEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .right, .left, .right], flexible: [0, 1, 3]) }
  static var headings: [String] { ["Artist", "Album", "No.", "Title", "Time"] }

  var cells: [String] {
    let disc = track.disc.flatMap { ($0.total ?? 1) > 1 || $0.number > 1 ? "\($0.number)-" : nil } ?? ""
    return [
      track.artists.joined(separator: ", "), track.album ?? "",
      track.number.map { "\(disc)\($0.number)" } ?? "",
      track.title, TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(track.title).adding(track.artists.joined(separator: ", "), as: "artist")
      .adding(track.album, as: "album").adding(cells[2], as: "track").adding(time: track.duration)
  }

  var reference: ListedReference? { ListedReference(self) }

  var object: ListedObject {
    var object = ListedObject(.track)
    object.id = id
    object.setTrack(track)
    object.albumID = albumID
    object.added = added
    return object
  }
}
