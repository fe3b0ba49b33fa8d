import MusicModel
import Platform
import QueueFlow

/// What `--verbose` tells of a player: which file is decoded, and where the sound goes, whenever that is another.
struct PlaybackDetails {
  private var file: String?
  private var output: String?

  /// What is new in `state`, a line each, not yet safe for a terminal; from now on it counts as told.
  mutating func take(from state: PlaybackState, _ queue: PlayQueue) -> [String] {
    var lines: [String] = []
    let track = state.item.flatMap { queue.position(of: $0) }.map { queue.items[$0].track }
    if let track, let source = state.format, state.phase != .stopped {
      let file = "decoded: \(track.path.shown), \(FormatText.text(PlayerStatus.Format(source)))"
      if file != self.file { lines.append(file) }
      self.file = file
    }
    if let opened = state.output, let deviations = state.deviations {
      let path = FormatText.path(deviations.map(\.description))
      let format = FormatText.text(PlayerStatus.Format(opened.format))
      let output = "output: \(opened.name), \(format), \(path)"
      if output != self.output { lines.append(output) }
      self.output = output
    }
    return lines
  }
}
