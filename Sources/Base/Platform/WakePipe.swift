// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Wakes a thread that polls descriptors. Closed with its last reference.
public final class WakePipe: Sendable {
  /// The descriptor to poll: readable from a wake-up until ``clear()``.
  public let reader: FileDescriptor
  private let writer: FileDescriptor

  /// Creates a pipe without a wake-up.
  ///
  /// - Throws: `Errno` if the system has no descriptors left.
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

  /// Wakes the thread, now or at its next wait. From any thread.
  public func wake() {
    // A full pipe wakes the thread already.
    _ = try? writer.writeAll(CollectionOfOne(UInt8(0)))
  }

  /// Consumes the wake-ups. For the waiting thread.
  public func clear() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while let count = try? unsafe reader.read(into: buffer), count == buffer.count {}
    }
  }

  /// Waits for a wake-up, or for this long, and consumes the wake-ups. For the waiting thread.
  public func wait(milliseconds: Int) {
    var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, Int32(clamping: max(0, milliseconds)))
    clear()
  }
}
