import NIOCore
import NIOPosix

/// The threads on which commands are obeyed: one that no disk keeps waiting for long, and some for the library.
final class CommandThreads: Sendable {
  private static let readerCount = 4

  private let quick = NIOThreadPool(numberOfThreads: 1)
  private let reading = NIOThreadPool(numberOfThreads: readerCount)

  /// Threads that are started at once.
  init() {
    quick.start()
    reading.start()
  }

  /// Has the next piece of the answer to `batch` made, and calls `done` with it on `loop`; never, once the threads end.
  func obey(
    _ batch: CommandBatch, on loop: any EventLoop,
    _ done: @escaping @Sendable (CommandBatch, ByteBuffer, _ isLast: Bool) -> Void
  ) {
    let pool = batch.lane == .quick ? quick : reading
    pool.submit { state in
      guard state == .active else { return }
      var batch = batch
      let (bytes, isLast) = batch.step()
      let obeyed = batch
      loop.execute { done(obeyed, bytes, isLast) }
    }
  }

  /// Ends the threads behind what they are at.
  func end() {
    quick.shutdownGracefully { _ in }
    reading.shutdownGracefully { _ in }
  }
}
