// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import NIOPosix
import Platform
import Synchronization

/// The objects that all connections of a server share.
struct ServerServices: Sendable {
  let player: ControlledPlayer
  let table: CommandTable
  let threads: CommandThreads
  let budget: ListBudget
  let board: MessageBoard
  /// Notifies all clients of a change. Safe to call from any thread.
  let announce: @Sendable (Subsystem) -> Void
}

/// The threads that execute commands: one that never waits long for a disk, several that read the library, one that
/// makes edits, and several that wait until edits are stored.
final class CommandThreads: Sendable {
  private static let readerCount = 4
  /// The number of threads that wait until edits are stored. A few are enough, since one write stores all edits that
  /// are waiting at the same time.
  private static let storingCount = 4
  /// The total number of threads.
  static let count = 2 + readerCount + storingCount

  private let quick = NIOThreadPool(numberOfThreads: 1)
  private let reading = NIOThreadPool(numberOfThreads: readerCount)
  private let editing = NIOThreadPool(numberOfThreads: 1)
  private let storing = NIOThreadPool(numberOfThreads: storingCount)

  /// Starts the threads.
  init() {
    for pool in [quick, reading, editing, storing] { pool.start() }
  }

  /// Executes the next step of `batch`, and then calls `done` with the result on `loop`. Once the threads have ended,
  /// `done` is never called.
  func execute(
    _ batch: CommandBatch, on loop: any EventLoop,
    _ done: @escaping @Sendable (CommandBatch, ByteBuffer, _ isLast: Bool) -> Void
  ) {
    let pool =
      switch batch.lane {
      case .immediate, .quick: quick
      case .reading: reading
      case .editing: editing
      case .storing: storing
      }
    pool.submit { state in
      guard state == .active else { return }
      var batch = batch
      let (bytes, isLast) = batch.step()
      let executed = batch
      loop.execute { done(executed, bytes, isLast) }
    }
  }

  /// Releases unused memory on one of the threads after a delay of `time`.
  func releaseMemory(after time: TimeAmount, on loop: any EventLoop) {
    loop.scheduleTask(in: time) { [reading] in
      reading.submit { if $0 == .active { ProgramMemory.releaseUnused() } }
    }
  }

  /// Ends the threads after their current work.
  func end() {
    for pool in [quick, reading, editing, storing] { pool.shutdownGracefully { _ in } }
  }
}

/// The limit on the total size of the unfinished command lists of all clients.
final class ListBudget: Sendable {
  private static let limit = 64 << 20

  private let used = Atomic(0)

  /// Reserves `count` bytes, or releases them if it is negative. Returns whether the total is within the limit.
  func reserve(_ count: Int) -> Bool {
    used.wrappingAdd(count, ordering: .relaxed).newValue <= Self.limit || count <= 0
  }

  /// Releases `count` bytes.
  func release(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
