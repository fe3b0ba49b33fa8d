import AudioCore
import Flux
import Platform
import PlayerFlow
import RemoteControl
import Screens
import SystemPackage

/// The player of another process, as a view shows it: what was told of it, and keys that are forwarded to it.
final class RemoteViewedPlayer: ViewedPlayer {
  private let player: AttachedPlayer
  private let keys: KeyForwarding
  /// How often a player had ended there when the view began.
  private let endCount: Int
  private var toldProblem: Int
  private var hasToldEnd = false
  /// Whether its news are told by the view alone: they are not in a REPL beside it.
  let isToldByView: Bool

  private(set) var scene: NowPlaying?
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

/// Has the player of another process obey the keys of a view, one after the other, on a thread of its own: nobody waits
/// for a player that does not answer.
final class KeyForwarding: Sendable {
  /// How long an answer is waited for.
  private static let patience = Duration.seconds(2)
  /// Who holds a key down has no more waiting than this.
  private static let limit = 16
  /// What every error begins with.
  private static let mark = "segue: "

  private struct Work: Sendable {
    var waiting: [[String]] = []
    /// Whether the player did not answer when it was last asked.
    var isSilent = false
  }

  private let socket: FilePath
  private let template: ForwardedCommand
  private let onNotice: @Sendable (String) -> Void
  private let worker = Worker(named: "segue-keys", Work())

  /// For the player that listens at `socket`; `template` is a command without words. `onNotice` is called, on that
  /// thread, with each line that the user should know, not yet safe for a terminal.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(
    _ socket: FilePath, _ template: ForwardedCommand, onNotice: @escaping @Sendable (String) -> Void
  ) throws(Errno) {
    self.socket = socket
    self.template = template
    self.onNotice = onNotice
    try worker.start(taking: { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { [self] in forward($0) }
  }

  /// Has the command of these words obeyed behind those before. From any thread.
  func post(_ words: [String]) {
    worker.post { work in
      if work.waiting.count < Self.limit { work.waiting.append(words) }
    }
  }

  /// Ends the thread behind what it is at. From any thread.
  func end() { worker.close() }

  private func forward(_ words: [String]) {
    var command = template
    command.words = words.map { Array($0.utf8) }
    do throws(ControlClientError) {
      var client = try ControlClient(socket, patience: Self.patience)
      let outcome = try client.forward(command)
      let wasSilent = worker.withPending { work in
        defer { work.isSilent = false }
        return work.isSilent
      }
      if wasSilent { onNotice("the player answers again") }
      for line in outcome.errors {
        onNotice(line.hasPrefix(Self.mark) ? String(line.dropFirst(Self.mark.count)) : line)
      }
    } catch {
      // What was typed into the void is not done later on.
      let wasSilent = worker.withPending { work in
        defer { work.isSilent = true }
        work.waiting = []
        return work.isSilent
      }
      // That it has ended is told by who listens to it.
      if !wasSilent, error != .nobody { onNotice("the player \(Forwarding.reason(error))") }
    }
  }
}
