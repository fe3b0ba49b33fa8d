import QueueFlow

/// What a key has changed, in lines, for a terminal on which nothing is drawn.
struct PlainChanges {
  private var isPaused = false
  private var volume: Volume?

  /// What is new in `state`, safe for a terminal; from now on it counts as told.
  mutating func take(from state: PlaybackState) -> [String] {
    var lines: [String] = []
    if isPaused != (state.phase == .paused) {
      isPaused.toggle()
      // What follows the end of a pause by itself is told by its own line.
      if isPaused || state.phase == .playing { lines.append(isPaused ? "paused" : "playing") }
    }
    if let volume, volume != state.volume { lines.append("volume \(state.volume.percent)") }
    // How loud it is at the beginning is no change.
    if state.phase != .stopped { volume = state.volume }
    return lines
  }
}
