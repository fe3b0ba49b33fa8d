import Flux
import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// Keeps the current queue in a file, on a thread of its own: a subscriber of the `QueueListener`.
///
/// Where the queue changes faster than it can be written, only the newest is.
public final class QueueKeeper: Sendable {
  private let work: Work
  private let thread: WorkerThread
  private let subscription: Subscription

  /// Keeps what `listener` publishes in `file`, from its next change on.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(_ listener: QueueListener, in file: QueueSnapshotFile) throws(Errno) {
    let work = Work()
    self.work = work
    thread = try WorkerThread(name: "segue-keeper") { work.run(file) }
    let first = listener.queue.version
    subscription = listener.observe { queue in
      if queue.version != first { work.take(queue) }
    }
  }

  deinit { work.end() }

  /// Why the queue could not be written last, or `nil` where it was.
  public var failure: Errno? { work.failure }

  /// Writes what is not written yet, at most until `milliseconds` have passed, and ends.
  public func finish(within milliseconds: UInt64) {
    subscription.cancel()
    work.end()
    _ = thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }
}

/// What the keeper's thread has to do.
private final class Work: Sendable {
  private struct Desk {
    var queue: PlayQueue?
    var isEnding = false
    var failure: Errno?
  }

  private static let pauseMilliseconds: UInt64 = 20

  private let desk = Mutex(Desk())
  private let signal = ThreadSignal()

  var failure: Errno? { desk.withLock { $0.failure } }

  func take(_ queue: PlayQueue) {
    desk.withLock { $0.queue = queue }
    signal.wake()
  }

  func end() {
    desk.withLock { $0.isEnding = true }
    signal.wake()
  }

  /// Lets the music start first, and changes that come together be written together.
  private func pause() {
    if desk.withLock({ $0.queue != nil && !$0.isEnding }) {
      _ = signal.wait(until: .now.advanced(byMilliseconds: Self.pauseMilliseconds))
    }
  }

  func run(_ file: QueueSnapshotFile) {
    while true {
      pause()
      let (queue, isEnding) = desk.withLock { ($0.queue.take(), $0.isEnding) }
      if let queue {
        do throws(Errno) {
          try file.write(QueueSnapshot(queue))
          desk.withLock { $0.failure = nil }
        } catch {
          desk.withLock { $0.failure = error }
        }
      } else if isEnding {
        return
      } else {
        signal.wait()
      }
    }
  }
}
