import AudioCore
import Flux
import Platform
import QueueFlow
import RemoteControl
import Synchronization
import SystemPackage

/// The player of another process, as a view shows it: what was told of it, and keys that are forwarded to it.
final class PlayerElsewhere: ViewedPlayer {
  private let player: AttachedPlayer
  private let keys: KeyForwarding
  /// How often a player had ended there when the view began.
  private let endCount: Int
  private var toldProblem: Int
  private var hasToldEnd = false
  /// Whether its news are told by the view alone: they are not in a REPL beside it.
  let isToldByView: Bool

  private(set) var scene: PlayingScene?
  private(set) var state = PlayingState()
  private(set) var isOver = false
  // Who only looks on stays.
  var isWaiting: Bool { false }

  /// `player`, of which the scene is known, to be told keys by `session`. It is viewed until this is released.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(_ player: AttachedPlayer, _ session: Session) throws(Errno) {
    self.player = player
    keys = try KeyForwarding(player.socket, ForwardedCommand(words: [], by: session), onNotice: player.tell)
    let known = player.known
    endCount = known.endCount
    toldProblem = known.problemCount
    if case .attached(player.socket) = session.face { isToldByView = false } else { isToldByView = true }
    refresh()
  }

  deinit {
    keys.end()
    player.endView()
  }

  var hasBegun: Bool { true }
  var outlivesTerminal: Bool { false }
  var levelRefusal: String? { "levels are shown where the player runs" }
  var levels: SoundLevels? { nil }

  func measureLevels(_ isOn: Bool) {}
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    player.observe(onChange)
  }

  func refresh() {
    let known = player.known
    // What began in its place is another player.
    isOver = known.endCount != endCount
    guard !isOver, let status = known.status else { return }
    scene = known.scene
    state = PlayingState(status, position: known.position(at: .now))
  }

  func obey(_ key: PlayerKey) { keys.post(key.words) }

  func takeNews() -> [String] {
    let known = player.known
    var lines = Array(known.problems.suffix(max(0, known.problemCount - toldProblem)))
    toldProblem = known.problemCount
    if isOver, !hasToldEnd {
      hasToldEnd = true
      lines.append("the player has ended")
    }
    return lines
  }

  func takeDetails() -> [String] { [] }
  func takeLines(hasKeys: Bool) -> [String] { [] }
  func status() -> ExitStatus { .success }
}
