import MusicModel
import UnicodeText

/// A track as one plain line, for output that is no terminal.
enum TrackLine {
  /// The line for the item at `position` of `queue`: "3/5 Blue in Green - Miles Davis - Kind of Blue (5:37)".
  static func text(position: Int, in queue: PlayQueue) -> String {
    let track = queue.items[position].track
    let names = [track.title, track.artists.joined(separator: ", "), track.album ?? queue.title]
    let time = track.duration.map { " (\(TimeText.text($0)))" } ?? ""
    return "\(position + 1)/\(queue.items.count) "
      + names.filter { !$0.isEmpty }.joined(separator: " - ").safeForTerminal + time
  }
}
