import Platform
import SystemPackage

/// What a server needs of the system: what it is built on ends the program where that is refused, so it is asked for
/// before.
enum ServerResources {
  /// The event loop's own, its listeners, and some clients.
  private static let pipeCount = 8

  /// How many threads others may start between the asking and the server's own start.
  private static let spareThreadCount = 8

  /// Has the system grant so many threads, some to spare, and descriptors, for a moment.
  ///
  /// - Throws: `Errno` where it does not.
  static func check(threadCount: Int) throws(Errno) {
    let end = Latch()
    var threads: [WorkerThread] = []
    defer {
      end.open()
      for thread in threads { _ = thread.join(until: .now.advanced(byMilliseconds: 1_000)) }
    }
    for _ in 0..<(threadCount + spareThreadCount) {
      threads.append(try WorkerThread(name: "segue-check") { end.wait() })
    }
    var pipes: [(readEnd: FileDescriptor, writeEnd: FileDescriptor)] = []
    defer {
      for pipe in pipes {
        try? pipe.readEnd.close()
        try? pipe.writeEnd.close()
      }
    }
    do {
      for _ in 0..<pipeCount { pipes.append(try FileDescriptor.pipe()) }
    } catch {
      throw error as? Errno ?? .tooManyOpenFiles
    }
  }
}
