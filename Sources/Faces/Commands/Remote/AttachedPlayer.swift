// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import PlayerFlow
import RemoteControl
import Synchronization
import SystemPackage
import Terminal

/// The state of the player in another process, reached through a socket, as far as it has been received.
///
/// It uses two threads: one receives events, the other notifies observers each second during playback. When the player
/// ends, it keeps trying to connect, since another player may start.
final class AttachedPlayer: Sendable {
  /// The interval in milliseconds between attempts to connect.
  private static let pause: UInt64 = 2_000
  /// The maximum time to wait for a response.
  private static let patience = Duration.seconds(2)
  /// The interval in milliseconds between requests to a player that plays but is not audible yet.
  private static let silence: UInt64 = 300
  /// The number of problems and of started tracks to remember.
  private static let newsLimit = 32

  /// The state that has been received.
  struct Known: Sendable {
    /// The player's status; `nil` if there is no player.
    fileprivate(set) var status: PlayerStatus?
    /// The current track and those around it, while a view shows it.
    fileprivate(set) var scene: NowPlaying?
    /// The reported problems, the newest last.
    fileprivate(set) var problems: [String] = []
    /// The total number of problems so far.
    fileprivate(set) var problemCount = 0
    /// The events of tracks that started, the newest last.
    fileprivate(set) var begun: [PlayerEvent] = []
    /// The total number of tracks started so far.
    fileprivate(set) var begunCount = 0
    /// The number of times that a player has ended.
    fileprivate(set) var endCount = 0
    /// The number of views that show it.
    fileprivate var viewCount = 0

    /// Returns the elapsed time of the track at `now`.
    func position(at now: MonotonicInstant) -> Duration {
      guard let status else { return .zero }
      let passed = now.nanoseconds.subtractingReportingOverflow(status.instant)
      let onward = status.isHeard && !passed.overflow ? Double(passed.partialValue) / 1e9 : 0
      let position = min(status.elapsed + onward, status.song?.seconds ?? .infinity)
      return position.isFinite ? .seconds(max(0, min(position, 1e9))) : .zero
    }
  }

  /// The socket of the player.
  let socket: FilePath
  private let state = Mutex(Known())
  private let seconds = ThreadSignal()
  private let observers = Mutex<Observers>(Observers())

  private struct Observers: Sendable {
    var next = 0
    var all: [Int: Observer] = [:]
  }

  private struct Observer: Sendable {
    let onChange: @Sendable () -> Void
  }

  /// Starts to follow the player that listens at `socket`.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(_ socket: FilePath) throws(Errno) {
    self.socket = socket
    _ = try WorkerThread(name: "segue-attached") { [self] in follow() }
    _ = try WorkerThread(name: "segue-seconds") { [self] in tellSeconds() }
  }

  /// The state at this moment. Any thread.
  var known: Known { state.withLock(\.self) }

  /// The content of the prompt; `nil` if nothing plays, or there is no player. Any thread.
  var prompt: ReplPrompt.Subject? {
    let known = known
    guard let status = known.status, let song = status.song else { return nil }
    return ReplPrompt.Subject(status.phase, position: known.position(at: .now), title: song.title)
  }

  /// Calls `onChange` at once and whenever the state may have changed, on the calling thread and on those of this
  /// object, until the subscription is cancelled.
  func observe(_ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let number = observers.withLock { observers in
      observers.next += 1
      observers.all[observers.next] = Observer(onChange: onChange)
      return observers.next
    }
    onChange()
    return Subscription { [weak self] in
      self?.observers.withLock { _ = $0.all.removeValue(forKey: number) }
    }
  }

  /// Requests the current track and keeps it up to date until ``endView()``. Any thread; waits for the response, but
  /// not for long.
  func beginView() throws(ControlClientError) {
    state.withLock { $0.viewCount += 1 }
    do throws(ControlClientError) {
      try ask(withScene: true)
    } catch {
      endView()
      throw error
    }
  }

  /// Ends a view.
  func endView() {
    state.withLock { known in
      known.viewCount -= 1
      if known.viewCount == 0 { known.scene = nil }
    }
  }

  /// Adds a line to the problems. Any thread.
  func tell(_ problem: String) {
    state.withLock { known in
      known.problemCount += 1
      known.problems.append(problem)
      if known.problems.count > Self.newsLimit { known.problems.removeFirst() }
    }
    callObservers()
  }

  // MARK: Following

  private func follow() {
    while true {
      // A player may have ended between its response and the next connection.
      if listen() || known.status != nil {
        state.withLock { known in
          known.status = nil
          known.endCount += 1
        }
        changed()
      }
      MonotonicInstant.now.advanced(byMilliseconds: Self.pause).sleep()
    }
  }

  /// Handles the player's events until the connection ends; returns whether there was a player.
  ///
  /// A separate function from the loop around it, since Swift 6.3's optimiser does not terminate on the two combined.
  @inline(never)
  private func listen() -> Bool {
    var wasThere = false
    do throws(ControlClientError) {
      var client = try ControlClient(socket)
      try client.watch { event in
        wasThere = true
        take(event)
        return true
      }
    } catch {
      // The player has ended, or there is none: the caller handles both.
    }
    return wasThere
  }

  private func take(_ event: PlayerEvent) {
    let isViewed = known.viewCount > 0
    switch event.event {
    case .status:
      if let status = event.status { take(status, nil) }
      if isViewed { try? ask(withScene: true) }
    case .track:
      state.withLock { known in
        known.begunCount += 1
        known.begun.append(event)
        if known.begun.count > Self.newsLimit { known.begun.removeFirst() }
      }
      try? ask(withScene: isViewed)
    case .missed: try? ask(withScene: isViewed)
    case .state, .seek: try? ask(withScene: false)
    case .queue, .modes: if isViewed { try? ask(withScene: true) }
    case .volume, .crossfade, .replayGain, .outputs: if isViewed { try? ask(withScene: false) }
    case .problem: if let problem = event.problem { tell(problem) }
    case .scan, .playlists, .waiting: break
    }
  }

  private func ask(withScene: Bool) throws(ControlClientError) {
    var client = try ControlClient(socket, patience: Self.patience)
    let answer = try client.now(nextLimit: withScene ? NowPlaying.nextLimit : nil)
    take(answer.status, answer.scene)
  }

  private func take(_ status: PlayerStatus, _ scene: NowPlaying?) {
    state.withLock { known in
      // Two threads may send requests at the same time.
      let isLate = known.status.map { $0.process == status.process && $0.instant > status.instant } ?? false
      if !isLate { known.status = status }
      if let scene, known.viewCount > 0, !isLate || known.scene == nil { known.scene = scene }
    }
    changed()
  }

  private func changed() {
    seconds.wake()
    callObservers()
  }

  private func callObservers() {
    for observer in observers.withLock({ Array($0.all.values) }) { observer.onChange() }
  }

  private func tellSeconds() {
    while true { tellSecond() }
  }

  @inline(never)
  private func tellSecond() {
    let known = known
    guard let status = known.status, status.phase == .playing else { return seconds.wait() }
    guard status.isHeard else {
      // A player reports that it plays before the first sound is audible; when it is, only its status says so.
      if !seconds.wait(until: .now.advanced(byMilliseconds: Self.silence)) { try? ask(withScene: false) }
      return
    }
    let rest = 1_000 - known.position(at: .now).wholeMilliseconds % 1_000
    if !seconds.wait(until: .now.advanced(byMilliseconds: rest)) { callObservers() }
  }
}
