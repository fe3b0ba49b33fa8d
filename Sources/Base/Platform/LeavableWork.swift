// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import SystemPackage

/// Work that can be blocked for ever by a disk that does not answer: it runs on a thread that is abandoned then, and
/// ends whenever it can.
public enum LeavableWork {
  /// Reports progress to the waiting thread, and abandonment to the work.
  public final class Pulse: Sendable {
    private let beatCount = Atomic(0)
    private let left = Atomic(false)

    fileprivate init() {}

    /// Reports progress of the work. Any thread.
    public func beat() { beatCount.wrappingAdd(1, ordering: .relaxed) }

    /// Whether the work was abandoned. From any thread.
    public var isLeft: Bool { left.load(ordering: .relaxed) }

    fileprivate var count: Int { beatCount.load(ordering: .relaxed) }
    fileprivate func leave() { left.store(true, ordering: .relaxed) }
  }

  /// The greatest number of threads at a time: abandoned ones last as long as a disk does not answer.
  private static let limit = 32
  private static let present = Atomic(0)

  /// Returns the result of `body`; `nil` if that has neither ended nor reported progress for `milliseconds`, or if too
  /// many threads are blocked already. If the system grants no thread, `body` runs on the calling one. Any thread
  /// outside of the cooperative pool.
  public static func value<Value: Sendable>(
    patience milliseconds: UInt64, _ body: @escaping @Sendable (Pulse) -> Value
  ) -> Value? {
    guard present.load(ordering: .relaxed) < limit else { return nil }
    let pulse = Pulse()
    let result = WorkResult<Value>()
    let thread: WorkerThread
    do throws(Errno) {
      thread = try WorkerThread(name: "segue-leavable") {
        present.wrappingAdd(1, ordering: .relaxed)
        result.value.withLock { [value = body(pulse)] in $0 = value }
        present.wrappingSubtract(1, ordering: .relaxed)
      }
    } catch {
      return body(pulse)
    }
    var count: Int
    repeat {
      count = pulse.count
      if thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds)) { break }
    } while pulse.count != count
    pulse.leave()
    return result.value.withLock { $0 }
  }
}

/// The result of the work.
private final class WorkResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
