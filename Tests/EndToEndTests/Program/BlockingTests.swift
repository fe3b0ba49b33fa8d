// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import Testing

extension Trait where Self == BlockingTests {
  /// Gives the tests of a suite, which mostly wait for other programs, more threads than there are cores.
  static var blocking: Self { BlockingTests() }
}

/// Runs the tests of a suite on a few threads of their own.
///
/// Other tests share as many threads as there are cores, so that a test that waits for a program leaves a core idle.
struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
  }
}

/// The threads that all tests with the trait ``BlockingTests`` share.
private final class BlockingThreads: TaskExecutor {
  static let shared = BlockingThreads(4)

  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  private init(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        while true { runNext() }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Waits for a job, and runs it.
  private func runNext() {
    arrivals.wait()
    jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
  }
}
