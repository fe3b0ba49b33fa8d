import MusicModel
import UnicodeText

/// An artist or a genre, listed.
struct ListedName: ListedEntry, Equatable {
  static var table: Table { Table(alignments: [.left, .right, .right], flexible: [0]) }
  static var headings: [String] { ["Name", "Albums", "Tracks"] }

  let kind: ListedObject.Kind
  let entry: NameEntry

  var cells: [String] {
    [
      entry.name, entry.albumCount == 1 ? "1 album" : "\(entry.albumCount) albums",
      entry.trackCount == 1 ? "1 track" : "\(entry.trackCount) tracks",
    ]
  }

  var plain: PlainLine {
    PlainLine(entry.name).adding(ItemCount.text(entry.albumCount, "album"))
      .adding(ItemCount.text(entry.trackCount, "track"))
  }

  var reference: ListedReference? {
    ListedReference.Kind(rawValue: kind.rawValue).map { ListedReference($0, name: entry.name) }
  }

  var object: ListedObject {
    var object = ListedObject(kind)
    object.name = entry.name
    object.albums = entry.albumCount
    object.tracks = entry.trackCount
    return object
  }
}
