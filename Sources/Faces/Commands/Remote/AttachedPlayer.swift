// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import PlayerFlow
import RemoteControl
import Synchronization
import SystemPackage
import Terminal

/// The state of the player in another process, as received through its socket.
///
/// This class uses two threads: one receives events, the other notifies observers each second during playback. After
/// the player has ended, it tries to connect again from time to time, since another player may be started. Safe to use
/// from any thread.
final class AttachedPlayer: Sendable {
  /// The time in milliseconds between attempts to connect.
  private static let reconnectInterval: UInt64 = 2_000
  /// The maximum time to wait for a response.
  private static let timeout = Duration.seconds(2)
  /// The time in milliseconds between requests to a player that is playing but not audible yet.
  private static let statusInterval: UInt64 = 300
  /// The maximum number of problems, and of started tracks, that are stored.
  private static let noticeLimit = 32

  /// The state that has been received from the player.
  struct Snapshot: Sendable {
    /// The status of the player; `nil` if there is no player.
    fileprivate(set) var status: PlayerStatus?
    /// The current track and those around it; `nil` unless a view shows the player.
    fileprivate(set) var scene: NowPlaying?
    /// The last problems that the player has reported, the newest last.
    fileprivate(set) var problems: [String] = []
    /// The number of problems that have been reported so far.
    fileprivate(set) var problemCount = 0
    /// The events of the last tracks that have started, the newest last.
    fileprivate(set) var startedTracks: [PlayerEvent] = []
    /// The number of tracks that have started so far.
    fileprivate(set) var startedCount = 0
    /// The number of changes of the queue that have been reported so far.
    fileprivate(set) var queueChangeCount: UInt64 = 0
    /// The number of scans of the library that have been reported so far.
    fileprivate(set) var scanCount: UInt64 = 0
    /// The number of players that have ended so far.
    fileprivate(set) var endCount = 0
    /// The number of views that show the player.
    fileprivate var viewCount = 0

    /// Returns the elapsed time of the current track at the time `now`.
    func position(at now: MonotonicInstant) -> Duration {
      guard let status else { return .zero }
      let sinceStatus = now.nanoseconds.subtractingReportingOverflow(status.instant)
      let progress = status.isAdvancing && !sinceStatus.overflow ? Double(sinceStatus.partialValue) / 1e9 : 0
      let position = min(status.elapsed + progress, status.song?.seconds ?? .infinity)
      return position.isFinite ? .seconds(max(0, min(position, 1e9))) : .zero
    }
  }

  /// The path of the player's socket.
  let socket: FilePath
  private let state = Mutex(Snapshot())
  private let secondSignal = ThreadSignal()
  private let observers = Mutex<Observers>(Observers())

  private struct Observers: Sendable {
    var next = 0
    var all: [Int: Observer] = [:]
  }

  private struct Observer: Sendable {
    let onChange: @Sendable () -> Void
  }

  /// Starts following the player that listens on the socket.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(_ socket: FilePath) throws(Errno) {
    self.socket = socket
    _ = try WorkerThread(name: "segue-attached") { [self] in follow() }
    _ = try WorkerThread(name: "segue-seconds") { [self] in notifyEverySecond() }
  }

  /// The state that has been received so far.
  var snapshot: Snapshot { state.withLock(\.self) }

  /// The content of the prompt; `nil` if nothing is playing, or there is no player.
  var prompt: ReplPrompt.Subject? {
    let snapshot = snapshot
    guard let status = snapshot.status, let song = status.song else { return nil }
    return ReplPrompt.Subject(status.phase, position: snapshot.position(at: .now), title: song.title)
  }

  /// Calls `onChange` at once, and then whenever the state may have changed, until the subscription is cancelled. The
  /// first call is on the calling thread, later ones are on other threads.
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

  /// Calls `onScan` whenever the player has scanned its library, until the subscription is cancelled.
  func observeScans(_ onScan: @escaping @Sendable () -> Void) -> Subscription {
    let count = Mutex(snapshot.scanCount)
    return observe { [weak self] in
      guard let now = self?.snapshot.scanCount else { return }
      let isNew = count.withLock { count in
        defer { count = now }
        return count != now
      }
      if isNew { onScan() }
    }
  }

  /// Requests the current track, and keeps it up to date until ``endView()`` is called. Waits briefly for the response.
  func beginView() throws(ControlClientError) {
    state.withLock { $0.viewCount += 1 }
    do throws(ControlClientError) {
      try requestStatus(withScene: true)
    } catch {
      endView()
      throw error
    }
  }

  /// Ends a view that was begun with ``beginView()``.
  func endView() {
    state.withLock { snapshot in
      snapshot.viewCount -= 1
      if snapshot.viewCount == 0 { snapshot.scene = nil }
    }
  }

  /// Adds a line to the problems.
  func addProblem(_ problem: String) {
    state.withLock { snapshot in
      snapshot.problemCount += 1
      snapshot.problems.append(problem)
      if snapshot.problems.count > Self.noticeLimit { snapshot.problems.removeFirst() }
    }
    callObservers()
  }

  // MARK: Following

  private func follow() {
    while true {
      // A player may have ended after a response and before the next connection.
      if listen() || snapshot.status != nil {
        state.withLock { snapshot in
          snapshot.status = nil
          snapshot.endCount += 1
        }
        changed()
      }
      MonotonicInstant.now.advanced(byMilliseconds: Self.reconnectInterval).sleep()
    }
  }

  /// Handles the events of the player until the connection ends. Returns whether there was a player.
  ///
  /// This is a function of its own, because the optimiser of Swift 6.3 does not terminate if it is part of the loop
  /// that calls it.
  @inline(never)
  private func listen() -> Bool {
    var wasConnected = false
    do throws(ControlClientError) {
      var client = try ControlClient(socket)
      try client.watch { event in
        wasConnected = true
        receive(event)
        return true
      }
    } catch {
      // The player has ended, or there is none. The caller handles both.
    }
    return wasConnected
  }

  private func receive(_ event: PlayerEvent) {
    let isViewed = snapshot.viewCount > 0
    switch event.event {
    case .status:
      if let status = event.status { receive(status, nil) }
      if isViewed { try? requestStatus(withScene: true) }
    case .track:
      state.withLock { snapshot in
        snapshot.startedCount += 1
        snapshot.startedTracks.append(event)
        if snapshot.startedTracks.count > Self.noticeLimit { snapshot.startedTracks.removeFirst() }
      }
      try? requestStatus(withScene: isViewed)
    case .missed, .title:
      // The queue shows the titles of streams, too.
      state.withLock { $0.queueChangeCount &+= 1 }
      try? requestStatus(withScene: isViewed)
    case .state, .seek: try? requestStatus(withScene: false)
    case .queue:
      state.withLock { $0.queueChangeCount &+= 1 }
      if isViewed { try? requestStatus(withScene: true) }
    case .modes: if isViewed { try? requestStatus(withScene: true) }
    case .volume, .crossfade, .replayGain, .outputs: if isViewed { try? requestStatus(withScene: false) }
    case .problem: if let problem = event.problem { addProblem(problem) }
    case .scan:
      state.withLock { $0.scanCount &+= 1 }
      callObservers()
    case .playlists, .waiting: break
    }
  }

  private func requestStatus(withScene: Bool) throws(ControlClientError) {
    var client = try ControlClient(socket, timeout: Self.timeout)
    let response = try client.now(nextLimit: withScene ? NowPlaying.nextLimit : nil)
    receive(response.status, response.scene)
  }

  private func receive(_ status: PlayerStatus, _ scene: NowPlaying?) {
    state.withLock { snapshot in
      // Two threads may send requests at the same time, so this status may be older than the known one.
      let isOutdated = snapshot.status.map { $0.process == status.process && $0.instant > status.instant } ?? false
      if !isOutdated { snapshot.status = status }
      if let scene, snapshot.viewCount > 0, !isOutdated || snapshot.scene == nil { snapshot.scene = scene }
    }
    changed()
  }

  private func changed() {
    secondSignal.wake()
    callObservers()
  }

  private func callObservers() {
    for observer in observers.withLock({ Array($0.all.values) }) { observer.onChange() }
  }

  private func notifyEverySecond() {
    while true { awaitNextSecond() }
  }

  @inline(never)
  private func awaitNextSecond() {
    let snapshot = snapshot
    guard let status = snapshot.status, status.phase == .playing else { return secondSignal.wait() }
    guard status.isAdvancing else {
      // A player reports that it is playing before the first sound is audible. Only its status shows when it is.
      if !secondSignal.wait(until: .now.advanced(byMilliseconds: Self.statusInterval)) {
        try? requestStatus(withScene: false)
      }
      return
    }
    let remaining = 1_000 - snapshot.position(at: .now).wholeMilliseconds % 1_000
    if !secondSignal.wait(until: .now.advanced(byMilliseconds: remaining)) { callObservers() }
  }
}
