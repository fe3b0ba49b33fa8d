package import AudioCore
package import Flux
package import PlayerFlow
import Terminal

/// A player that a now-playing view shows: that of this process, or of another. For the main thread.
package protocol ViewedPlayer: AnyObject {
  /// What plays, and what comes next, as far as it was known when ``refresh()`` was called last; `nil` where it was not
  /// known yet.
  var scene: NowPlaying? { get }
  /// How it plays.
  var state: PlayingState { get }
  /// Whether anything was heard since the player began.
  var hasBegun: Bool { get }
  /// Whether there is nothing more to show.
  var isOver: Bool { get }
  /// Whether it waits behind a track until somebody has it go on.
  var isWaiting: Bool { get }
  /// Whether its news are told by the view alone.
  var isToldByView: Bool { get }
  /// Whether music goes on without the terminal, where that is wished for: who only looks on ends.
  var outlivesTerminal: Bool { get }
  /// Why levels cannot be shown; `nil` where they can.
  var levelRefusal: String? { get }
  /// How loud what is heard at this moment is; `nil` where nothing is, or nothing is measured.
  var levels: SoundLevels? { get }

  /// Has levels be measured from now on, or not.
  func measureLevels(_ isOn: Bool)
  /// Has `onChange` called, at once and whenever something else may be shown, on any thread, until the subscription is
  /// cancelled; for a new position alone, always where `everyPosition` is wanted, or else it may be seldom.
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription
  /// Looks at what the player does now. Never waits for it.
  func refresh()
  /// Has the player do what a key of it means; never waits for it.
  func obey(_ key: PlayerKey)
  /// What the user should know and was not told, a line each, not yet safe for a terminal; from now on it counts as
  /// told.
  func takeNews() -> [String]
  /// What is done on the way, where the user wants to know: in the same way.
  func takeDetails() -> [String]
  /// What began or was changed, for a terminal on which nothing is drawn: a line each, safe for a terminal.
  func takeLines(hasKeys: Bool) -> [String]
  /// What the view is to end with where it ``isOver``.
  ///
  /// - Throws: `CommandError` where nothing could be played, or the output failed.
  func status() throws(CommandError) -> ExitStatus
}

/// What keys ask of a player.
package enum PlayerKey: Sendable, Equatable {
  case toggle
  case stop
  case next
  case previous
  /// Goes so many seconds forward, or back where negative.
  case seek(by: Int)
  /// Makes it so many percent louder, or softer where negative.
  case volume(by: Int)

  /// The words of the command that does the same.
  package var words: [String] {
    switch self {
    case .toggle: ["toggle"]
    case .stop: ["stop"]
    case .next: ["next"]
    case .previous: ["previous"]
    case .seek(let seconds): ["seek", Self.step(seconds)]
    case .volume(let percent): ["volume", Self.step(percent)]
    }
  }

  private static func step(_ number: Int) -> String { number < 0 ? "\(number)" : "+\(number)" }
}

/// How something plays, as the now-playing view says it, whichever process plays.
package struct PlayingState: Equatable {
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
  package init() {}

  /// What this process does.
  package init(_ state: PlaybackState) {
    phase = PlayerStatus.Phase(state.phase)
    position = state.position
    duration = state.duration
    volume = state.volume.percent
    if state.phase != .stopped { format = state.format.map { PlayerStatus.Format($0) } }
    deviations = state.deviations?.map(\.description)
  }

  /// What another process told, where so much of the track has been heard by now.
  package init(_ status: PlayerStatus, position: Duration) {
    phase = status.phase
    self.position = position
    duration = status.song?.seconds.flatMap { Duration(reportedSeconds: $0) }
    volume = status.volume
    format = status.source
    deviations = status.deviations
  }
}
