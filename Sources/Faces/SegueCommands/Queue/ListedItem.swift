import MusicModel
import UnicodeText

/// An item of a queue, listed.
struct ListedItem: ListedEntry {
  static var table: Table {
    Table(alignments: [.left, .right, .left, .left, .left, .right], flexible: [2, 3, 4])
  }
  static var headings: [String] { ["", "No.", "Title", "Artist", "Album", "Time"] }

  /// The position, from 0.
  let position: Int
  let item: PlayQueue.Item
  let isCurrent: Bool
  /// Whether its file is not there.
  let isGone: Bool

  var cells: [String] {
    let track = item.track
    return [
      isCurrent ? ">" : " ", "\(position + 1)", track.title, track.artists.joined(separator: ", "),
      track.album ?? "", isGone ? "gone" : TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(track: item.track, number: position + 1, marks: [(isCurrent, "current"), (isGone, "gone")])
  }

  var role: Palette.Role? { isGone ? .error : isCurrent ? .title : nil }

  var object: ListedObject {
    var object = ListedObject(.item)
    object.position = position + 1
    object.id = Int64(clamping: item.id.rawValue)
    object.current = isCurrent
    object.gone = isGone
    object.setTrack(item.track)
    return object
  }
}
