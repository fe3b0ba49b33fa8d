// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pipe that wakes a thread which polls file descriptors. It is closed when the last reference to it is released.
public final class WakePipe: Sendable {
  /// The descriptor to poll: readable from a wake-up until ``clear()``.
  public let reader: FileDescriptor
  private let writer: FileDescriptor

  /// Creates a pipe without a wake-up.
  ///
  /// - Throws: `Errno` if the system has no descriptors left.
  public init() throws(Errno) {
    (reader, writer) = try FileDescriptor.ownPipe()
    for end in [reader, writer] { _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    try? reader.close()
    try? writer.close()
  }

  /// Wakes the thread now, or at its next wait. Can be called from any thread.
  public func wake() {
    // If the pipe is full, the thread will wake anyway.
    _ = try? writer.writeAll(CollectionOfOne(UInt8(0)))
  }

  /// Consumes all wake-ups. Call it only on the waiting thread.
  public func clear() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while let count = try? unsafe reader.read(into: buffer), count == buffer.count {}
    }
  }

  /// Waits for a wake-up, for at most `milliseconds`, and consumes all wake-ups. Call it only on the waiting thread.
  public func wait(milliseconds: Int) {
    var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, Int32(clamping: max(0, milliseconds)))
    clear()
  }
}
