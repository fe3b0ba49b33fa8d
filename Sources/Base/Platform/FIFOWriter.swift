public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The writing end of a FIFO, which is there as long as somebody reads it. Closed with its last reference. For one
/// thread.
///
/// Where the reader has gone, writing and waiting throw `brokenPipe`; the signal of that must be ignored
/// (`ProcessSignal`).
public final class FIFOWriter {
  /// How long a reader may take to come that looks for a writer now and then, as Snapcast's server does ten times a
  /// second.
  private static let arrivalMilliseconds: UInt64 = 250
  /// What a pipe holds where the system does not say.
  private static let usualCapacity = 1 << 16

  /// How many bytes it holds at most that were not read.
  public let capacity: Int
  private let descriptor: FileDescriptor

  /// Opens the FIFO at `path`, and asks that it hold `wish` bytes. Where nobody reads it, waits a moment for a reader.
  ///
  /// - Throws: `noSuchAddressOrDevice` where nobody reads it, `invalidArgument` where it is no FIFO, or the error of
  ///   open(2).
  public init(_ path: FilePath, holding wish: Int?) throws(Errno) {
    guard try FileStatus(of: path).kind == .fifo else { throw .invalidArgument }
    descriptor = try Self.openWriter(path)
    capacity = Self.capacity(of: descriptor, wish)
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0, FileStatus(status).kind == .fifo else {
      throw .invalidArgument
    }
    let limit = MonotonicInstant.now.advanced(byMilliseconds: Self.arrivalMilliseconds)
    while !hasReader {
      guard MonotonicInstant.now < limit else { throw .noSuchAddressOrDevice }
      MonotonicInstant.now.advanced(byMilliseconds: 5).sleep()
    }
  }

  deinit { try? descriptor.close() }

  /// Opens `path` for writing whether anybody reads it or not.
  ///
  /// A reader that finds no writer may leave at once, and come back: so there has to be one before it comes.
  private static func openWriter(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec]
    do {
      do {
        return try FileDescriptor.open(path, .writeOnly, options: options)
      } catch Errno.noSuchAddressOrDevice {
        // Its own reader lets it open; then that goes.
        let both = try FileDescriptor.open(path, .readWrite, options: options)
        defer { try? both.close() }
        return try FileDescriptor.open(path, .writeOnly, options: options)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  private static func capacity(of descriptor: FileDescriptor, _ wish: Int?) -> Int {
    #if canImport(Darwin)
      return usualCapacity
    #else
      if let wish { _ = fcntl(descriptor.rawValue, setSize, Int32(clamping: wish)) }
      let granted = Int(fcntl(descriptor.rawValue, getSize, 0))
      return granted > 0 ? granted : usualCapacity
    #endif
  }

  private var hasReader: Bool { (try? wait(milliseconds: 0)) != nil }

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
