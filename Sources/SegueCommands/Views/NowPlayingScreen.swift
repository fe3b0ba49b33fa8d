import AudioCore
import MusicModel
import Platform
import QueueFlow
import UnicodeText

/// What the now-playing view shows: lines that fit the terminal, made of the queue and the playback state alone.
struct NowPlayingScreen: Equatable {
  /// The lines from the top; none has more cells than the terminal has columns.
  let lines: [String]

  private static let keys = "space pause  ←/→ 10 s  ↑/↓ 1 min  n next  p previous  +/- volume  q quit"

  /// The screen for a terminal of `size`; `notice` is what the user was told last.
  init(queue: PlayQueue, playback: PlaybackState, notice: String?, size: TerminalSize) {
    let position = playback.item.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    guard let position else {
      lines = ["…"]
      return
    }
    let track = queue.items[position].track
    let all = [
      Self.symbol(playback.phase) + " " + track.title.safeForTerminal,
      "  " + Self.origin(of: track, in: queue),
      "  "
        + Self.progress(
          playback, duration: playback.duration ?? track.duration,
          place: "\(position + 1)/\(queue.items.count)",
          cells: size.columns - 2),
      Self.next(in: queue, at: position),
      "  " + Self.keys,
    ].compactMap { $0 }
    let notices = notice.map { ["", $0.safeForTerminal] } ?? []
    lines = (all + notices).prefix(size.rows).map { $0.truncated(toCells: size.columns) }
  }

  /// What comes next, and how the queue is played; `nil` where there is nothing to say.
  private static func next(in queue: PlayQueue, at position: Int) -> String? {
    let successor = queue.successor(of: queue.items[position].id)
    let next = successor.map { item in
      let artists =
        item.track.artists.isEmpty || item.track.artists == queue.items[position].track.artists
        ? "" : " · " + item.track.artists.joined(separator: ", ").safeForTerminal
      return "next: " + item.track.title.safeForTerminal + artists
    }
    let parts = [next].compactMap { $0 } + ModeText.words(queue.modes)
    return parts.isEmpty ? nil : "  " + parts.joined(separator: "  ")
  }

  private static func symbol(_ phase: PlaybackState.Phase) -> String {
    switch phase {
    case .playing: "▶"
    case .paused: "‖"
    case .stopped: "■"
    }
  }

  private static func origin(of track: Track, in queue: PlayQueue) -> String {
    let album = (track.album ?? queue.title).safeForTerminal + (track.date.map { " (\($0.year))" } ?? "")
    return track.artists.isEmpty
      ? album : track.artists.joined(separator: ", ").safeForTerminal + " · " + album
  }

  /// Position, bar and time left, and as much else as there is room for.
  private static func progress(_ playback: PlaybackState, duration: Duration?, place: String, cells: Int)
    -> String
  {
    let position = TimeText.text(playback.position)
    let left = duration.map { "-" + TimeText.text(max(.zero, $0 - playback.position)) }
    let volume = playback.volume == .full ? nil : "vol \(playback.volume.percent)%"
    var tail = [left, duration.map { TimeText.text($0) }, place, volume].compactMap { $0 }
    let smallestBar = 6
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - position.cellWidth - end.cellWidth - 2
      if bar >= smallestBar || tail.count <= 1 {
        let share = duration.flatMap { $0 > .zero ? playback.position / $0 : nil }
        let middle = bar >= 1 ? ProgressBar.text(share: share, cells: bar) : ""
        return [position, middle, end].filter { !$0.isEmpty }.joined(separator: " ")
      }
      tail.removeLast()
    }
  }
}
