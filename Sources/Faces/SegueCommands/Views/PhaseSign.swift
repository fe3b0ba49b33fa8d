import QueueFlow

/// Whether something plays, as a sign ahead of a title.
enum PhaseSign {
  /// The sign; a word where it is to be of ASCII.
  static func text(_ phase: PlayerStatus.Phase, isASCII: Bool) -> String {
    if isASCII { return phase.rawValue + ":" }
    switch phase {
    case .playing: return "▶"
    case .paused: return "‖"
    case .stopped: return "■"
    }
  }
}
