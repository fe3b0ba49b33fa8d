public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Wakes a thread that waits for descriptors. Closed with its last reference.
public final class WakePipe: Sendable {
  /// What can be read from as soon as it was woken, until ``clear()``.
  public let reader: FileDescriptor
  private let writer: FileDescriptor

  /// A pipe in which nothing is.
  ///
  /// - Throws: `Errno` where the system has no descriptors left.
  public init() throws(Errno) {
    do {
      (reader, writer) = try FileDescriptor.pipe()
    } catch {
      throw error as? Errno ?? .ioError
    }
    for end in [reader, writer] {
      _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// Wakes the thread, now or when it waits next. From any thread.
  public func wake() {
    // Where the pipe is full, it wakes already.
    _ = try? writer.writeAll(CollectionOfOne(UInt8(0)))
  }

  /// Takes what woke. For the thread that waits.
  public func clear() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while let count = try? unsafe reader.read(into: buffer), count == buffer.count {}
    }
  }

  /// Waits until it is woken, or so many milliseconds have passed, and takes what woke. For the thread that waits.
  public func wait(milliseconds: Int) {
    var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, Int32(clamping: max(0, milliseconds)))
    clear()
  }
}
