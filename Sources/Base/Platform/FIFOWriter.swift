// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// The write end of a FIFO, usable as long as the FIFO has a reader. It is closed when the last reference to it is
/// released. Only one thread may use it.
///
/// When the reader closes the FIFO, writing and waiting throw `brokenPipe`. SIGPIPE must be ignored
/// (``ProcessSignal/ignoreBrokenPipes()``).
public final class FIFOWriter {
  /// The assumed capacity of a pipe in bytes, if the system does not report it.
  private static let defaultCapacity = 1 << 16

  /// The capacity of the pipe, in bytes.
  public let capacity: Int
  private let descriptor: FileDescriptor

  /// Opens the FIFO at `path`, and requests a capacity of `requestedCapacity` bytes (`nil`: the system's default). If
  /// there is no reader, waits briefly for one.
  ///
  /// - Parameter arrivalMilliseconds: How long to wait for a reader; by default, long enough for one that polls for a
  ///   writer, as Snapcast's server does ten times a second.
  /// - Throws: `noSuchAddressOrDevice` if it has no reader, `invalidArgument` if it is not a FIFO, or the error of
  ///   open(2).
  public init(_ path: FilePath, holding requestedCapacity: Int?, arrivalMilliseconds: UInt64 = 250) throws(Errno) {
    guard try FileStatus(of: path).kind == .fifo else { throw .invalidArgument }
    descriptor = try Self.openWriter(path)
    capacity = Self.capacity(of: descriptor, requestedCapacity)
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0, FileStatus(status).kind == .fifo else {
      throw .invalidArgument
    }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: arrivalMilliseconds)
    while !hasReader {
      guard MonotonicInstant.now < deadline else { throw .noSuchAddressOrDevice }
      MonotonicInstant.now.advanced(byMilliseconds: 5).sleep()
    }
  }

  deinit { try? descriptor.close() }

  /// Creates a FIFO at `path` that only this user can read, unless there is one.
  ///
  /// - Throws: `invalidArgument` if there is something else, or the error of mkfifo(3).
  public static func create(_ path: FilePath) throws(Errno) {
    if unsafe path.withPlatformString({ unsafe mkfifo($0, 0o600) }) == 0 { return }
    let error = Errno(rawValue: errno)
    guard error == .fileExists else { throw error }
    guard try FileStatus(of: path).kind == .fifo else { throw .invalidArgument }
  }

  /// Opens the FIFO at `path` for writing, whether or not it has a reader.
  ///
  /// A reader that finds no writer may close the FIFO at once and open it again later, so the writer must be open
  /// before the reader arrives.
  private static func openWriter(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let options: FileDescriptor.OpenOptions = [.nonBlocking, .closeOnExec]
    return try asErrno {
      do {
        return try FileDescriptor.open(path, .writeOnly, options: options)
      } catch Errno.noSuchAddressOrDevice {
        // Opening it for reading and writing first makes this possible; that descriptor is closed afterwards.
        let bidirectional = try FileDescriptor.open(path, .readWrite, options: options)
        defer { try? bidirectional.close() }
        return try FileDescriptor.open(path, .writeOnly, options: options)
      }
    }
  }

  private static func capacity(of descriptor: FileDescriptor, _ requestedCapacity: Int?) -> Int {
    #if canImport(Darwin)
      return defaultCapacity
    #else
      if let requestedCapacity { _ = fcntl(descriptor.rawValue, setSize, Int32(clamping: requestedCapacity)) }
      let granted = Int(fcntl(descriptor.rawValue, getSize, 0))
      return granted > 0 ? granted : defaultCapacity
    #endif
  }

  private var hasReader: Bool { (try? wait(milliseconds: 0)) != nil }

  /// Writes as many of `bytes` as fit, without waiting, and returns their number.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    while true {
      let count = unsafe systemWrite(descriptor.rawValue, bytes)
      if count >= 0 { return count }
      let error = Errno(rawValue: errno)
      if error == .wouldBlock || error == .resourceTemporarilyUnavailable { return 0 }
      if error != .interrupted { throw error }
    }
  }

  /// Waits for the given time. If the reader closes the FIFO before that, throws `brokenPipe`.
  public func wait(milliseconds: Int) throws(Errno) {
    var polled = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
    _ = unsafe poll(&polled, 1, Int32(clamping: max(0, milliseconds)))
    if Int32(polled.revents) & (Int32(POLLERR) | Int32(POLLNVAL)) != 0 { throw .brokenPipe }
  }

  /// The number of bytes in the FIFO that have not been read yet; 0 if the system does not report it.
  public var unreadCount: Int {
    var count: Int32 = 0
    return unsafe ioctl(descriptor.rawValue, UInt(FIONREAD), &count) == 0 ? Int(max(0, count)) : 0
  }
}

// Linux's `F_SETPIPE_SZ` and `F_GETPIPE_SZ`, which the headers declare only for GNU sources.
private let setSize: Int32 = 1031
private let getSize: Int32 = 1032

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(number, bytes.baseAddress, bytes.count)
}
