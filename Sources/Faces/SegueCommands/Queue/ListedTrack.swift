import MusicModel
import UnicodeText

/// A track of a saved list, listed.
struct ListedTrack: ListedEntry {
  static var table: Table { Table(alignments: [.right, .left, .left, .left, .right], flexible: [1, 2, 3]) }
  static var headings: [String] { ["No.", "Title", "Artist", "Album", "Time"] }

  /// The position, from 0.
  let position: Int
  let track: Track
  let isGone: Bool

  var cells: [String] {
    [
      "\(position + 1)", track.title, track.artists.joined(separator: ", "), track.album ?? "",
      isGone ? "gone" : TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine { PlainLine(track: track, number: position + 1, marks: [(isGone, "gone")]) }

  var role: Palette.Role? { isGone ? .error : nil }

  var object: ListedObject {
    var object = ListedObject(.track)
    object.position = position + 1
    object.gone = isGone
    object.setTrack(track)
    return object
  }
}
