// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import SystemPackage

/// Runs work that could block forever if a disk does not respond. The work runs on a thread of its own, which is
/// abandoned after a timeout, and ends when the disk responds again.
public enum AbandonableWork {
  /// Lets the work report progress to the waiting thread, and check whether it was abandoned.
  public final class Progress: Sendable {
    private let reportCount = Atomic(0)
    private let abandoned = Atomic(false)

    fileprivate init() {}

    /// Reports progress of the work. Can be called from any thread.
    public func report() { reportCount.wrappingAdd(1, ordering: .relaxed) }

    /// Whether the waiting thread has abandoned the work. Can be read from any thread.
    public var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    fileprivate var count: Int { reportCount.load(ordering: .relaxed) }
    fileprivate func abandon() { abandoned.store(true, ordering: .relaxed) }
  }

  /// The maximum number of threads at a time, including abandoned ones, which last until the disk responds.
  private static let limit = 32
  private static let threadCount = Atomic(0)

  /// Runs `body` on a thread of its own, and returns its result. Returns `nil` if `body` has neither ended nor reported
  /// progress for `milliseconds`, or if too many threads are blocked already.
  ///
  /// If the system grants no thread, `body` runs on the calling thread. Can be called from any thread outside the
  /// cooperative pool.
  public static func value<Value: Sendable>(
    timeout milliseconds: UInt64, _ body: @escaping @Sendable (Progress) -> Value
  ) -> Value? {
    guard threadCount.load(ordering: .relaxed) < limit else { return nil }
    let progress = Progress()
    let result = WorkResult<Value>()
    let thread: WorkerThread
    do throws(Errno) {
      thread = try WorkerThread(name: "segue-blocking") {
        threadCount.wrappingAdd(1, ordering: .relaxed)
        result.value.withLock { [value = body(progress)] in $0 = value }
        threadCount.wrappingSubtract(1, ordering: .relaxed)
      }
    } catch {
      return body(progress)
    }
    var count: Int
    repeat {
      count = progress.count
      if thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds)) { break }
    } while progress.count != count
    progress.abandon()
    return result.value.withLock { $0 }
  }
}

private final class WorkResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
