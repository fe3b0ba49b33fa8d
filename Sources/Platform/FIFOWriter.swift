public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The writing end of a FIFO, which is there as long as somebody reads it. Closed with its last reference. For one thread.
///
/// Where the reader has gone, writing and waiting throw `brokenPipe`; the signal of that must be ignored (`ProcessSignal`).
public final class FIFOWriter {
  /// What a pipe holds where the system does not say.
  private static let usualCapacity = 1 << 16

  /// How many bytes it holds at most that were not read.
  public let capacity: Int
  private let descriptor: FileDescriptor

  /// Opens the FIFO at `path`, and asks that it hold `wish` bytes.
  ///
  /// - Throws: `noSuchAddressOrDevice` where nobody reads it, `invalidArgument` where it is no FIFO, or the error of open(2).
  public init(_ path: FilePath, holding wish: Int?) throws(Errno) {
    do {
      descriptor = try FileDescriptor.open(path, .writeOnly, options: [.nonBlocking, .closeOnExec])
    } catch {
      throw error as? Errno ?? .ioError
    }
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0, FileStatus(status).kind == .fifo else {
      try? descriptor.close()
      throw .invalidArgument
    }
    #if canImport(Darwin)
      capacity = Self.usualCapacity
    #else
      if let wish { _ = fcntl(descriptor.rawValue, setSize, Int32(clamping: wish)) }
      let granted = Int(fcntl(descriptor.rawValue, getSize, 0))
      capacity = granted > 0 ? granted : Self.usualCapacity
    #endif
  }

  deinit { try? descriptor.close() }

  /// Writes as many of `bytes` as there is room for; gives how many. Does not wait.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    while true {
      let count = unsafe systemWrite(descriptor.rawValue, bytes)
      if count >= 0 { return count }
      let error = Errno(rawValue: errno)
      if error == .wouldBlock || error == .resourceTemporarilyUnavailable { return 0 }
      if error != .interrupted { throw error }
    }
  }

  /// Waits so many milliseconds, or until the reader goes.
  public func wait(milliseconds: Int) throws(Errno) {
    var polled = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
    _ = unsafe poll(&polled, 1, Int32(clamping: max(0, milliseconds)))
    if Int32(polled.revents) & (Int32(POLLERR) | Int32(POLLNVAL)) != 0 { throw .brokenPipe }
  }

  /// How many bytes were not read yet; 0 where the system does not say.
  public var unreadCount: Int {
    var count: Int32 = 0
    return unsafe ioctl(descriptor.rawValue, UInt(FIONREAD), &count) == 0 ? Int(max(0, count)) : 0
  }
}

// Linux's `F_SETPIPE_SZ` and `F_GETPIPE_SZ`, which the headers show to GNU sources only.
private let setSize: Int32 = 1031
private let getSize: Int32 = 1032

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(number, bytes.baseAddress, bytes.count)
}
