// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import Platform
package import PlayerFlow
package import PlayerPort
import Synchronization
package import SystemPackage
import Terminal
import UnicodeText

/// A player as a view shows it. Requests are sent from a thread of their own, so that the view never waits for the
/// player. Used on the main thread.
package final class ViewedPlayer {
  /// What a view does that depends on where the player lives, and on who has opened the view.
  package struct Role {
    package var endsWithPlayback = false
    /// Whether others can reach the player, and start playback again.
    package var isReachable = false
    /// Whether the view can continue after its terminal is lost, if the settings say so.
    package var outlivesTerminal = false
    /// Whether problems are reported that are older than the view.
    package var reportsEarlierProblems = false
    /// Returns messages besides those of the player, one line each. Each is returned only once.
    package var takeWarnings: () -> [String] = { [] }
    /// Returns the exit status of the view after playback has ended, or throws the error of playback.
    package var status: () throws(PlayerError) -> ExitStatus = { () throws(PlayerError) in .success }

    package init() {}
  }

  /// The maximum number of waiting requests, in case a key is held down.
  private static let limit = 64
  /// The maximum time in milliseconds to wait for the last requests at the end.
  private static let endTimeout: UInt64 = 2_000

  private struct Job: Sendable {
    let perform: @Sendable () -> Void
  }

  /// Whether the player has answered, and the notices about it for the view.
  fileprivate struct Answering: Sendable {
    var isResponding = true
    var notices: [String] = []
    var onNotice: (@Sendable () -> Void)?
  }

  private let port: any PlayerPort
  private let role: Role
  private let answering = Shared(Answering())
  private let worker = Worker<[Job]>(named: "segue-keys", [])
  private var snapshot: PlayerSnapshot
  private var details = PlaybackDetails()
  private var changes = PlainChanges()
  private var reportedProblemCount = 0
  private var announcedCount = 0
  /// The title of a stream, or of a chapter, that was printed last.
  private var announcedTitle: String?
  private var hasReportedEnd = false

  /// The current and the next tracks, as read by the last call of ``refresh()``.
  var nowPlaying: NowPlaying { snapshot.nowPlaying }
  /// The playback state, as read by the last call of ``refresh()``.
  private(set) var state: PlayingState

  /// Creates the player that a view reaches through `port`.
  ///
  /// - Throws: `Errno` if no thread can be created.
  package init(_ port: any PlayerPort, _ role: Role) throws(Errno) {
    self.port = port
    self.role = role
    snapshot = port.snapshot
    state = PlayingState(snapshot, position: snapshot.position(at: .now))
    if !role.reportsEarlierProblems { reportedProblemCount = snapshot.problemCount }
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { $0.perform() }
  }

  deinit { worker.closeWhenIdle() }

  /// Whether anything has been audible since the player was created.
  var hasStarted: Bool { snapshot.startedCount > 0 }
  /// The ID of the current item of the queue; `nil` if there is none.
  var currentItem: UInt64? { snapshot.current?.id }
  /// A number that changes whenever the queue does.
  var queueVersion: UInt64 { snapshot.queueVersion }
  /// A number that changes whenever the library does.
  var libraryVersion: UInt64 { snapshot.libraryVersion }
  /// A number that changes whenever a saved playlist does.
  var playlistVersion: UInt64 { snapshot.playlistVersion }
  /// Whether there is nothing more to show: the player has ended or, for a view that ends with it, playback.
  var isOver: Bool {
    if snapshot.isEnded { return true }
    return role.endsWithPlayback && snapshot.isOver && !(snapshot.isInterrupted && role.isReachable)
  }
  /// Whether the player waits after a track until someone resumes playback.
  var isWaiting: Bool { role.endsWithPlayback && snapshot.isWaiting }
  var outlivesTerminal: Bool { role.outlivesTerminal }

  /// Calls `receive` about thirty times a second with what is audible, and with a spectrum of this number of bands,
  /// until the subscription is cancelled. Calls come on another thread.
  func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription {
    port.observeSound(bands: bands, receive)
  }

  /// Calls `onChange` at once, and then whenever the content may have changed, until the subscription is cancelled.
  /// Calls come on any thread.
  ///
  /// - Parameter everyPosition: Whether each change of the position is reported. If false, changes of the position
  ///   alone may be reported less often.
  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    answering.value.withLock { $0.onNotice = onChange }
    return port.observe(everyPosition: everyPosition, onChange)
  }

  /// Updates the properties from the player. Never blocks.
  func refresh() {
    snapshot = port.snapshot
    state = PlayingState(snapshot, position: snapshot.position(at: .now))
  }

  /// Makes the player perform a request after those before it, and calls `onDone` with the outcome on another thread.
  /// Never blocks.
  package func send(
    _ request: PlayerRequest, _ onDone: @escaping @Sendable (Result<PlayerReply, PlayerError>) -> Void = { _ in }
  ) {
    let isAccepted = perform { [answering] port in
      let result = Result { () throws(PlayerError) in try port.send(request) }
      answering.note(isResponding: result.failure != .notResponding)
      onDone(result)
    }
    if !isAccepted { onDone(.failure(.tooManyRequests)) }
  }

  /// Calls `body` on the thread that sends requests, after those before it. Returns `false` if too many wait, so that
  /// it is dropped.
  package func perform(_ body: @escaping @Sendable (any PlayerPort) -> Void) -> Bool {
    let isAccepted = worker.withPending { jobs in
      guard jobs.count < Self.limit else { return false }
      jobs.append(Job { [port] in body(port) })
      return true
    }
    worker.wake()
    return isAccepted
  }

  /// Waits briefly for the last requests.
  package func end() {
    worker.closeWhenIdle()
    _ = worker.join(until: .now.advanced(byMilliseconds: Self.endTimeout))
  }

  /// Returns the notices since the last call, one line each; not yet escaped for a terminal.
  func takeNotices() -> [String] {
    // The command ends with an output failure as its error, so do not report it here, too.
    if snapshot.hasFailed, role.endsWithPlayback { return [] }
    var lines = Array(snapshot.problems.suffix(max(0, snapshot.problemCount - reportedProblemCount)))
    reportedProblemCount = snapshot.problemCount
    lines += role.takeWarnings()
    lines += answering.value.withLock { answering in
      defer { answering.notices = [] }
      return answering.notices
    }
    if snapshot.isEnded, !hasReportedEnd {
      hasReportedEnd = true
      lines.append("the player has ended")
    }
    return lines
  }

  /// Returns the details for verbose style since the last call, one line each; not yet escaped for a terminal.
  func takeDetails() -> [String] { details.take(from: snapshot.status) }

  /// Returns the tracks that have started and other changes since the last call, for a terminal that cannot be redrawn:
  /// one line each, safe to print.
  func takeLines(hasKeys: Bool, _ style: OutputStyle) -> [String] {
    let started = snapshot.startedTracks.suffix(max(0, snapshot.startedCount - announcedCount))
    announcedCount = snapshot.startedCount
    let tracks = started.map { TrackLine.text($0, style) }
    let isNewTitle = snapshot.streamTitle != announcedTitle
    announcedTitle = snapshot.streamTitle
    let lines = tracks + (isNewTitle ? [announcedTitle.map(\.safeForTerminal)].compactMap(\.self) : [])
    let changed = changes.take(from: state)
    return hasKeys ? lines + changed : lines
  }

  /// Returns the exit status of the view. Call this only if ``isOver`` or ``isWaiting``.
  ///
  /// - Throws: `PlayerError` if nothing could be played, or the output failed.
  package func status() throws(PlayerError) -> ExitStatus { try role.status() }
}

/// A value that a view shares with the thread that sends its requests.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

extension Shared<ViewedPlayer.Answering> {
  /// Records whether the player has answered, and notifies the view if that has changed.
  func note(isResponding: Bool) {
    let onNotice = value.withLock { answering -> (@Sendable () -> Void)? in
      guard answering.isResponding != isResponding else { return nil }
      answering.isResponding = isResponding
      answering.notices.append(
        isResponding ? "the player is responding again" : PlayerError.notResponding.message)
      return answering.onNotice
    }
    onNotice?()
  }
}

extension PlayerError {
  /// The error for a request that is dropped, as when a key is held down while the player is busy.
  package static var tooManyRequests: PlayerError {
    PlayerError(.failure, "too many commands are waiting: the last one was dropped")
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// The playback state that a view shows.
package struct PlayingState: Equatable {
  /// Whether the player is playing, paused or stopped.
  var phase = PlayerStatus.Phase.stopped
  /// The elapsed time of the current track.
  var position = Duration.zero
  /// The duration of the current track; `nil` if it is not known.
  var duration: Duration?
  var volume = Volume.full.percent
  /// The name of the queue; `nil` for the standard one.
  var queueName: String?
  /// The number and the title of the chapter that is playing; `nil` if the file has no chapters.
  var chapter: String?
  /// Some chapters around it; empty if the file has none.
  var chapters = ChapterWindow()
  /// The passage that is repeated; `nil` if none is.
  var loop: PlayerStatus.Loop?
  /// The speed at which it is played.
  var speed = PlaybackSpeed.normal
  /// The format of the file; `nil` if nothing is playing.
  var format: PlayerStatus.Format?
  /// The reasons why the output is not bit-perfect; empty if it is, `nil` if no output is open.
  var deviations: [String]?

  package init() {}

  /// Creates the state of a player whose elapsed time is `position`.
  package init(_ snapshot: PlayerSnapshot, position: Duration) {
    self.init(snapshot.status, position: position)
    chapters = snapshot.chapters
  }

  /// Creates the state of a player with this status, whose elapsed time is `position`.
  package init(_ status: PlayerStatus, position: Duration) {
    phase = status.phase
    self.position = position
    duration = status.song?.seconds.flatMap { Duration(reportedSeconds: $0) }
    volume = status.volume
    queueName = status.queueName
    chapter = status.chapter.map { ChapterText.numbered($0, status) }
    loop = status.loop
    speed = status.speed.flatMap { PlaybackSpeed($0) } ?? .normal
    format = status.source
    deviations = status.deviations
  }
}

/// The changes that the user has made with keys, as lines for a terminal that cannot be redrawn.
struct PlainChanges {
  private var isPaused = false
  private var volume: Int?
  private var speed: PlaybackSpeed?

  /// Returns the changes in `state` since the last call, one line each, safe for a terminal.
  mutating func take(from state: PlayingState) -> [String] {
    var lines: [String] = []
    if isPaused != (state.phase == .paused) {
      isPaused.toggle()
      // If a pause ends because the next track starts, that track is announced by a line of its own.
      if isPaused || state.phase == .playing { lines.append(isPaused ? "paused" : "playing") }
    }
    if let volume, volume != state.volume { lines.append("volume \(state.volume)") }
    if let speed, speed != state.speed { lines.append("speed \(state.speed)") }
    // The initial volume is not a change, nor is the speed.
    if state.phase != .stopped { (volume, speed) = (state.volume, state.speed) }
    return lines
  }
}
