import AudioCore
import MusicModel

/// What a controller has told its engine, and what it still has to.
struct Course: Sendable {
  /// An item that is to be played as soon as its loudness is known.
  struct Request: Sendable {
    let item: PlayQueue.Item
    var place: Duration
    var isPaused: Bool
    /// What the engine is to answer once it was told: a number of ``PlaybackState/commandNumber``.
    var command: UInt64 = 0
  }

  /// What the engine was told.
  var chain = SourceChain()
  /// Makes its sources.
  var sources = SourceBook()
  /// What it is to be told to play.
  var request: Request?
  /// Whether the gain of what is heard waits for its loudness.
  var needsGain = false
  /// Whether an edit has ended playing, and nothing else has happened since.
  var wasStoppedByEdit = false

  /// The request as a command changes it; `false` where there is none.
  mutating func adjustRequest(by action: PlaybackAction) -> Bool {
    guard var request else { return false }
    switch action {
    case .pause: request.isPaused = true
    case .resume: request.isPaused = false
    case .toggle: request.isPaused.toggle()
    case .seek(let target): request.place = target.place(from: request.place, within: request.item.track.duration)
    default: return false
    }
    self.request = request
    return true
  }
}
