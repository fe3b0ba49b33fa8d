// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import SystemPackage

/// The player of another process, as a view uses it. It shows the state that has been received, and sends keys to the
/// player.
final class RemoteViewedPlayer: ViewedPlayer {
  private let player: AttachedPlayer
  private let keys: KeyForwarding
  /// The number of players at the socket that had ended when the view was opened.
  private let endCount: Int
  private var reportedProblemCount: Int
  private var hasReportedEnd = false
  /// Whether only the view reports the player's notices, because no REPL does.
  let isReportedByViewOnly: Bool

  private(set) var scene: NowPlaying?
  private(set) var state = PlayingState()
  private(set) var isOver = false
  private(set) var queueVersion: UInt64 = 0
  // The view of a player in another process stays open while that player is waiting.
  var isWaiting: Bool { false }

  /// Creates the viewed player for `player`, whose current track must be known. The view is ended when this object is
  /// released. Keys are sent as commands of `session`.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(_ player: AttachedPlayer, _ session: Session) throws(Errno) {
    self.player = player
    keys = try KeyForwarding(player.socket, ForwardedCommand(words: [], by: session), onNotice: player.addProblem)
    let snapshot = player.snapshot
    endCount = snapshot.endCount
    reportedProblemCount = snapshot.problemCount
    if case .attached(player.socket) = session.origin {
      isReportedByViewOnly = false
    } else {
      isReportedByViewOnly = true
    }
    refresh()
  }

  deinit {
    keys.end()
    player.endView()
  }

  var hasStarted: Bool { true }
  var outlivesTerminal: Bool { false }
  var levelRefusal: String? { "the level meter works only in the player's own terminal" }
  var levels: SoundLevels? { nil }

  func measureLevels(_ isOn: Bool) {}
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    player.observe(onChange)
  }

  func refresh() {
    let snapshot = player.snapshot
    // If another player has been started since, the view does not show that one.
    isOver = snapshot.endCount != endCount
    guard !isOver, let status = snapshot.status else { return }
    scene = snapshot.scene
    queueVersion = snapshot.queueChangeCount
    state = PlayingState(status, position: snapshot.position(at: .now))
  }

  func perform(_ key: PlayerKey) { keys.post(key.words) }

  func takeNotices() -> [String] {
    let snapshot = player.snapshot
    var lines = Array(snapshot.problems.suffix(max(0, snapshot.problemCount - reportedProblemCount)))
    reportedProblemCount = snapshot.problemCount
    if isOver, !hasReportedEnd {
      hasReportedEnd = true
      lines.append("the player has ended")
    }
    return lines
  }

  func takeDetails() -> [String] { [] }
  func takeLines(hasKeys: Bool) -> [String] { [] }
  func status() -> ExitStatus { .success }
}

/// Sends the keys of a view to the player of another process, on a separate thread, so that the view does not wait for
/// a player that does not respond.
final class KeyForwarding: Sendable {
  /// The maximum time to wait for a response.
  private static let timeout = Duration.seconds(2)
  /// The maximum number of waiting keys, in case a key is held down.
  private static let limit = 16
  /// The prefix of all error messages.
  private static let messagePrefix = "segue: "

  private struct Work: Sendable {
    var waiting: [[String]] = []
    /// Whether the player did not respond to the last request.
    var isUnresponsive = false
  }

  private let socket: FilePath
  private let template: ForwardedCommand
  private let onNotice: @Sendable (String) -> Void
  private let worker = Worker(named: "segue-keys", Work())

  /// Creates the forwarding of keys to the player that listens on `socket`.
  ///
  /// - Parameters:
  ///   - template: A command without words, from which the commands of keys are made.
  ///   - onNotice: Called on the separate thread with lines to show, which are not yet escaped for a terminal.
  /// - Throws: `Errno` if no thread can be created.
  init(
    _ socket: FilePath, _ template: ForwardedCommand, onNotice: @escaping @Sendable (String) -> Void
  ) throws(Errno) {
    self.socket = socket
    self.template = template
    self.onNotice = onNotice
    try worker.start(taking: { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { [self] in forward($0) }
  }

  /// Queues a command with these words. Safe to call from any thread.
  func post(_ words: [String]) {
    worker.post { work in
      if work.waiting.count < Self.limit { work.waiting.append(words) }
    }
  }

  /// Ends the thread after its current request. Safe to call from any thread.
  func end() { worker.close() }

  private func forward(_ words: [String]) {
    var command = template
    command.words = words.map { Array($0.utf8) }
    do throws(ControlClientError) {
      var client = try ControlClient(socket, timeout: Self.timeout)
      let outcome = try client.forward(command)
      let wasUnresponsive = worker.withPending { work in
        defer { work.isUnresponsive = false }
        return work.isUnresponsive
      }
      if wasUnresponsive { onNotice("the player is responding again") }
      for line in outcome.errors {
        onNotice(line.hasPrefix(Self.messagePrefix) ? String(line.dropFirst(Self.messagePrefix.count)) : line)
      }
    } catch {
      // Drop the keys that were pressed while the player did not respond.
      let wasUnresponsive = worker.withPending { work in
        defer { work.isUnresponsive = true }
        work.waiting = []
        return work.isUnresponsive
      }
      // The thread that receives the player's events reports when the player ends.
      if !wasUnresponsive, error != .notListening { onNotice("the player \(Forwarding.reason(error))") }
    }
  }
}
