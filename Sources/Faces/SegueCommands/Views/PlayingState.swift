import QueueFlow

/// How something plays, as the now-playing view says it, whichever process plays.
struct PlayingState: Equatable {
  /// Whether something plays.
  var phase = PlayerStatus.Phase.stopped
  /// How much of the track has been heard.
  var position = Duration.zero
  /// How long the track lasts, where that is better known than its tags say.
  var duration: Duration?
  /// How loud it is, in percent.
  var volume = Volume.full.percent
  /// The format of the file, while something plays.
  var format: PlayerStatus.Format?
  /// Why what is put out is not bit for bit what the file holds; empty where it is, `nil` where nothing is put out.
  var deviations: [String]?

  /// Nothing plays.
  init() {}

  /// What this process does.
  init(_ state: PlaybackState) {
    phase = PlayerStatus.Phase(state.phase)
    position = state.position
    duration = state.duration
    volume = state.volume.percent
    if state.phase != .stopped { format = state.format.map { PlayerStatus.Format($0) } }
    deviations = state.deviations?.map(\.description)
  }

  /// What another process told, where so much of the track has been heard by now.
  init(_ status: PlayerStatus, position: Duration) {
    phase = status.phase
    self.position = position
    duration = status.song?.seconds.flatMap { Duration(reportedSeconds: $0) }
    volume = status.volume
    format = status.source
    deviations = status.deviations
  }
}
