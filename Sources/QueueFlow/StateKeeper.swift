import Flux
import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// Keeps the queue and what plays in files for other processes, on a thread of its own: a subscriber of both stores.
///
/// Where they change faster than they can be written, only the newest is.
public final class StateKeeper: Sendable {
  private let work: Work
  private let thread: WorkerThread
  private let subscriptions: [Subscription]

  /// Keeps what the stores publish in the state directory `directory`, from their next change on.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(queue: QueueListener, playback: PlaybackStore, in directory: FilePath) throws(Errno) {
    let work = Work(queueFile: .queue(in: directory), statusFile: .status(in: directory), queue: queue)
    self.work = work
    thread = try WorkerThread(name: "segue-keeper") { work.run() }
    let first = queue.queue.version
    subscriptions = [
      queue.observe { queue in if queue.version != first { work.take(queue) } },
      playback.observe { work.take($0) },
    ]
  }

  deinit { work.end() }

  /// Why something could not be written last, or `nil` where it was.
  public var failure: Errno? { work.failure }

  /// Writes what is not written yet, at most until `milliseconds` have passed, and ends.
  public func finish(within milliseconds: UInt64) {
    for subscription in subscriptions { subscription.cancel() }
    work.end()
    _ = thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}

/// What the keeper's thread has to do.
private final class Work: Sendable {
  private struct Desk {
    var queue: PlayQueue?
    var state: PlaybackState?
    /// What was taken last, and when.
    var known = PlaybackState()
    var knownSince = MonotonicInstant.now
    var isEnding = false
    var failure: Errno?

    var hasWork: Bool { queue != nil || state != nil }
  }

  private static let pauseMilliseconds: UInt64 = 20

  private let queueFile: StateFile<QueueSnapshot>
  private let statusFile: StateFile<PlayerStatus>
  private let queue: QueueListener
  private let desk = Mutex(Desk())
  private let signal = ThreadSignal()

  init(queueFile: StateFile<QueueSnapshot>, statusFile: StateFile<PlayerStatus>, queue: QueueListener) {
    self.queueFile = queueFile
    self.statusFile = statusFile
    self.queue = queue
  }

  var failure: Errno? { desk.withLock { $0.failure } }

  func take(_ queue: PlayQueue) {
    desk.withLock { desk in
      desk.queue = queue
      // The current track is a part of the status.
      desk.state = desk.known
    }
    signal.wake()
  }

  /// Takes a state, unless it is what the one before has become by itself.
  func take(_ state: PlaybackState) {
    let now = MonotonicInstant.now
    let isNews = desk.withLock { desk in
      let passed = Duration.nanoseconds(Int64(clamping: now.nanoseconds - desk.knownSince.nanoseconds))
      guard !state.isExpected(after: desk.known, passed) else { return false }
      desk.state = state
      desk.known = state
      desk.knownSince = now
      return true
    }
    if isNews { signal.wake() }
  }

  func end() {
    desk.withLock { $0.isEnding = true }
    signal.wake()
  }

  /// Lets the music start first, and changes that come together be written together.
  private func pause() {
    let end = MonotonicInstant.now.advanced(byMilliseconds: Self.pauseMilliseconds)
    while desk.withLock({ $0.hasWork && !$0.isEnding }), signal.wait(until: end) {}
  }

  func run() {
    while true {
      pause()
      let (queue, state, isEnding) = desk.withLock { desk in
        defer { desk.queue = nil }
        return (desk.queue, desk.state.take(), desk.isEnding)
      }
      if queue == nil, state == nil {
        if isEnding { return }
        signal.wait()
        continue
      }
      do throws(Errno) {
        if let queue { try queueFile.write(QueueSnapshot(queue)) }
        if let state { try statusFile.write(PlayerStatus(state, queue: queue ?? self.queue.queue)) }
        desk.withLock { $0.failure = nil }
      } catch {
        desk.withLock { $0.failure = error }
      }
    }
  }
}
