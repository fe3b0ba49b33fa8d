import MusicLibrary
import UnicodeText

extension SavedPlaylist: ListedEntry {
  static var table: Table { Table(alignments: [.left, .right, .left], flexible: [0]) }
  static var headings: [String] { ["List", "Tracks", "Format"] }

  var cells: [String] {
    [name, entryCount.map { ItemCount.text($0, "track") } ?? "unreadable", format.rawValue]
  }

  var plain: PlainLine {
    PlainLine(name).adding(entryCount.map { ItemCount.text($0, "track") } ?? "unreadable")
      .adding(format.rawValue, as: "format")
  }

  var role: Palette.Role? { entryCount == nil ? .error : nil }

  var object: ListedObject {
    var object = ListedObject(.list)
    object.name = name
    object.tracks = entryCount
    object.setPath(path)
    return object
  }
}
