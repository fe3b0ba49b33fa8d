import NIOCore
import NIOPosix
import Platform
import Synchronization

/// What all connections of a server share.
struct ServerServices: Sendable {
  let player: RemotePlayer
  let table: CommandTable
  let threads: CommandThreads
  let budget: ListBudget
  let board: MessageBoard
  /// Tells all clients what has changed. From any thread.
  let announce: @Sendable (Subsystem) -> Void
}

/// The threads on which commands are obeyed: one that no disk keeps waiting for long, some for the library, one that
/// edits, and some that wait for what was edited to be kept.
final class CommandThreads: Sendable {
  private static let readerCount = 4
  /// Those who wait at the same time wait for the same writing.
  private static let keeperCount = 4
  /// How many threads these are.
  static let count = 2 + readerCount + keeperCount

  private let quick = NIOThreadPool(numberOfThreads: 1)
  private let reading = NIOThreadPool(numberOfThreads: readerCount)
  private let editing = NIOThreadPool(numberOfThreads: 1)
  private let keeping = NIOThreadPool(numberOfThreads: keeperCount)

  /// Threads that are started at once.
  init() {
    for pool in [quick, reading, editing, keeping] { pool.start() }
  }

  /// Has the next piece of the answer to `batch` made, and calls `done` with it on `loop`; never, once the threads end.
  func obey(
    _ batch: CommandBatch, on loop: any EventLoop,
    _ done: @escaping @Sendable (CommandBatch, ByteBuffer, _ isLast: Bool) -> Void
  ) {
    let pool =
      switch batch.lane {
      case .immediate, .quick: quick
      case .reading: reading
      case .editing: editing
      case .keeping: keeping
      }
    pool.submit { state in
      guard state == .active else { return }
      var batch = batch
      let (bytes, isLast) = batch.step()
      let obeyed = batch
      loop.execute { done(obeyed, bytes, isLast) }
    }
  }

  /// Gives back the memory that is free, on a thread, in so long.
  func releaseMemory(after time: TimeAmount, on loop: any EventLoop) {
    loop.scheduleTask(in: time) { [reading] in
      reading.submit { if $0 == .active { ProgramMemory.releaseUnused() } }
    }
  }

  /// Ends the threads behind what they are at.
  func end() {
    for pool in [quick, reading, editing, keeping] { pool.shutdownGracefully { _ in } }
  }
}

/// How many bytes all clients together may have in command lists that they have not finished.
final class ListBudget: Sendable {
  private static let limit = 64 << 20

  private let used = Atomic(0)

  /// Takes so many bytes more, or gives some back where negative; says whether that is within the limit.
  func take(_ count: Int) -> Bool {
    used.wrappingAdd(count, ordering: .relaxed).newValue <= Self.limit || count <= 0
  }

  /// Gives so many back.
  func give(back count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
