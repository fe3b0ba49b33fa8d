import MusicModel
import QueueFlow
import SystemPackage
import UnicodeText

/// A track that begins, as one line.
enum TrackLine {
  /// The line for the item at `position` of `queue`: "3/5 Blue in Green - Miles Davis - Kind of Blue (5:37)".
  static func text(
    position: Int, in queue: PlayQueue, _ manner: TerminalManner = TerminalManner()
  ) -> String {
    text(queue.items[position].track, at: position, of: queue.items.count, title: queue.title, manner)
  }

  /// The line for the track at `index` of `collection`.
  static func text(
    index: Int, in collection: TrackCollection, _ manner: TerminalManner = TerminalManner()
  ) -> String {
    text(collection.tracks[index], at: index, of: collection.tracks.count, title: collection.title, manner)
  }

  /// The line for the track that began, as the player of another process tells it.
  static func text(_ event: PlayerEvent, _ manner: TerminalManner = TerminalManner()) -> String {
    guard let song = event.song else { return "" }
    var track = Track(path: FilePath(song.path ?? ""), title: song.title)
    track.artists = song.artist.map { [$0] } ?? []
    track.album = song.album
    track.duration = song.seconds.flatMap { Duration(reportedSeconds: $0) }
    return text(
      track, at: event.queuePosition ?? 0, of: event.queueCount ?? 0, title: song.album ?? "", manner)
  }

  private static func text(
    _ track: Track, at index: Int, of count: Int, title: String, _ manner: TerminalManner
  ) -> String {
    if manner.isPlain {
      var track = track
      track.album = track.album ?? title
      return PlainLine(track: track, number: nil).behind("playing \(index &+ 1) of \(count)").text
    }
    let names = [track.title, track.artists.joined(separator: ", "), track.album ?? title]
    let time = track.duration.map { " (\(TimeText.text($0)))" } ?? ""
    return "\(index &+ 1)/\(count) "
      + names.filter { !$0.isEmpty }.joined(separator: " - ").safeForTerminal + time
  }
}
