import Flux
import Platform
import PlayerFlow
import RemoteControl
import Synchronization
import SystemPackage
import Terminal

/// What the player of another process does that is reached at a socket, as far as this process was told.
///
/// Two threads of its own follow it: one hears what happens, the other tells the seconds while something plays. A
/// player that ends is looked for again, since another may begin there.
final class AttachedPlayer: Sendable {
  /// How long until an absent player is looked for again, in milliseconds.
  private static let pause: UInt64 = 2_000
  /// How long an answer is waited for.
  private static let patience = Duration.seconds(2)
  /// How long until a player that plays, and is not heard yet, is asked again, in milliseconds.
  private static let silence: UInt64 = 300
  /// How many problems, and how many tracks that began, are remembered.
  private static let newsLimit = 32

  /// What was told.
  struct Known: Sendable {
    /// What it does; `nil` where there is no player.
    fileprivate(set) var status: PlayerStatus?
    /// What it plays, while a view shows it.
    fileprivate(set) var scene: NowPlaying?
    /// The problems that it told, the newest last.
    fileprivate(set) var problems: [String] = []
    /// How many there were.
    fileprivate(set) var problemCount = 0
    /// What it told of tracks that began, the newest last.
    fileprivate(set) var begun: [PlayerEvent] = []
    /// How many there were.
    fileprivate(set) var begunCount = 0
    /// How often a player has ended.
    fileprivate(set) var endCount = 0
    /// How many views show it.
    fileprivate var viewCount = 0

    /// How much of the track has been heard at `now`.
    func position(at now: MonotonicInstant) -> Duration {
      guard let status else { return .zero }
      let passed = now.nanoseconds.subtractingReportingOverflow(status.instant)
      let onward = status.isHeard && !passed.overflow ? Double(passed.partialValue) / 1e9 : 0
      let position = min(status.elapsed + onward, status.song?.seconds ?? .infinity)
      return position.isFinite ? .seconds(max(0, min(position, 1e9))) : .zero
    }
  }

  /// Where it is reached.
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

  /// Follows the player that listens at `socket`.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(_ socket: FilePath) throws(Errno) {
    self.socket = socket
    _ = try WorkerThread(name: "segue-attached") { [self] in follow() }
    _ = try WorkerThread(name: "segue-seconds") { [self] in tellSeconds() }
  }

  /// What is known now. From any thread.
  var known: Known { state.withLock(\.self) }

  /// What a prompt says of it; `nil` where nothing plays, or there is no player. From any thread.
  var prompt: ReplPrompt.Subject? {
    let known = known
    guard let status = known.status, let song = status.song else { return nil }
    return ReplPrompt.Subject(status.phase, position: known.position(at: .now), title: song.title)
  }

  /// Has `onChange` called, at once and whenever something else may be known, on the calling thread and on those of
  /// this, until the subscription is cancelled.
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

  /// Asks the player what it plays, and has the scene followed until ``endView()``. On any thread; it waits for the
  /// answer, but not for long.
  func beginView() throws(ControlClientError) {
    state.withLock { $0.viewCount += 1 }
    do throws(ControlClientError) {
      try ask(withScene: true)
    } catch {
      endView()
      throw error
    }
  }

  /// A view has ended.
  func endView() {
    state.withLock { known in
      known.viewCount -= 1
      if known.viewCount == 0 { known.scene = nil }
    }
  }

  /// Counts this line among the problems. From any thread.
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
      // One that was asked may have ended before it was listened to.
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

  /// Takes what the player says, until it says nothing more; says whether there was one.
  ///
  /// Apart from the loop that begins it anew: Swift 6.3's optimiser does not end on the two in one.
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
      // It ended, or there is none: the caller says so and looks again.
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
      // Two threads may ask at the same time.
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
      // It says that it plays before it is heard; that it is heard, it says to who asks.
      if !seconds.wait(until: .now.advanced(byMilliseconds: Self.silence)) { try? ask(withScene: false) }
      return
    }
    let rest = 1_000 - known.position(at: .now).wholeMilliseconds % 1_000
    if !seconds.wait(until: .now.advanced(byMilliseconds: rest)) { callObservers() }
  }
}
