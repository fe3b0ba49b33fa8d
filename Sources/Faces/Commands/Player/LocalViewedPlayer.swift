import AudioCore
import Flux
import MusicModel
import PlayerFlow
import Screens
import Synchronization

/// The player of this process, as a view shows it.
final class LocalViewedPlayer: ViewedPlayer {
  private struct SceneKey: Equatable {
    let version: UInt64
    let currentPosition: Int?
    let playing: PlayQueue.Item.ID?
  }

  private let session: Session
  private let ending: NowPlayingKeys.Ending
  private var playback = PlaybackState()
  private var queue = PlayQueue()
  private var sceneKey: SceneKey?
  private var news = PlaybackNotices()
  private var details = PlaybackDetails()
  private var changes = PlainChanges()
  private var announcedCount = 0

  private(set) var scene: NowPlaying?
  private(set) var state = PlayingState()

  /// What `session` plays, for a view that ends by `ending`.
  init(_ session: Session, _ ending: NowPlayingKeys.Ending) {
    self.session = session
    self.ending = ending
    // What the REPL tells is no news here.
    if ending == .leave { _ = news.take(from: session.services.playback.state) }
  }

  var hasBegun: Bool { playback.startedCount > 0 }
  // What a client has emptied or stopped, it may fill and play again, where it reaches the player.
  var isOver: Bool {
    ending == .quit && playback.isOver
      && !(playback.isInterrupted && session.keeper?.ownership == .own)
  }
  var isWaiting: Bool { playback.isWaiting }
  // The REPL tells by itself.
  var isToldByView: Bool { ending == .quit }
  var outlivesTerminal: Bool { true }
  var levelRefusal: String? { nil }
  var levels: SoundLevels? { session.services.playback.levels }

  func measureLevels(_ isOn: Bool) { session.services.playback.measureLevels(isOn) }

  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let pace = Mutex(ChangePace(takesEveryPosition: everyPosition))
    return session.services.playback.observe { state in
      if pace.withLock({ $0.isDue(state) }) { onChange() }
    }
  }

  func refresh() {
    playback = session.services.playback.state
    queue = session.services.queue.queue
    state = PlayingState(playback)
    // Finding an item and what follows it takes its time in a long queue.
    let key = SceneKey(
      version: queue.version, currentPosition: queue.currentPosition, playing: playback.item)
    if key != sceneKey {
      sceneKey = key
      scene = NowPlaying(queue, playing: playback.item)
    }
  }

  func obey(_ key: PlayerKey) {
    let actions = session.services.actions
    switch key {
    case .toggle: actions.toggle()
    case .stop: actions.stop()
    case .next: actions.next()
    case .previous: actions.previous()
    case .seek(let seconds): actions.seek(.by(.seconds(seconds)))
    case .volume(let percent): actions.changeVolume(by: percent)
    }
  }

  func takeNews() -> [String] {
    // A failure of the output is the error that the command ends with.
    var lines = playback.outputError == nil ? news.take(from: playback) : []
    if ending == .quit { lines += session.takeWarnings() }
    if let library = session.openFlow?.flow.library.state { lines += news.take(from: library) }
    return lines
  }

  func takeDetails() -> [String] { details.take(from: playback, queue) }

  func takeLines(hasKeys: Bool) -> [String] {
    let begun = playback.startedItems.suffix(max(0, playback.startedCount - announcedCount))
    announcedCount = playback.startedCount
    let tracks = begun.compactMap { item in
      queue.position(of: item).map { TrackLine.text(position: $0, in: queue, session.manner) }
    }
    let changed = changes.take(from: playback)
    return hasKeys ? tracks + changed : tracks
  }

  func status() throws(CommandError) -> ExitStatus {
    if let error = playback.outputError { throw CommandError(.noOutput, error.description) }
    if playback.startedCount == 0, !playback.problems.isEmpty {
      throw CommandError(.nothingPlayable, "nothing of \(queue.title) could be played")
    }
    return .success
  }
}

/// When a view is to look at what plays: at each change, or where it shows no positions, at each that is more than a
/// position.
struct ChangePace {
  /// At how many positions in a row it looks all the same: what others have to say is fetched then.
  static let patience = 5

  private let takesEveryPosition: Bool
  private var last: PlaybackState?
  private var passedOver = 0

  init(takesEveryPosition: Bool) { self.takesEveryPosition = takesEveryPosition }

  /// Takes a new state; says whether it is to be looked at.
  mutating func isDue(_ state: PlaybackState) -> Bool {
    guard !takesEveryPosition else { return true }
    defer { last = state }
    guard let last, state.hasMerelyMoved(from: last), passedOver + 1 < Self.patience else {
      passedOver = 0
      return true
    }
    passedOver += 1
    return false
  }
}

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
