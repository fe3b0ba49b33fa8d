// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// A connection to a process that listens on a Unix domain socket. It is closed when the last reference to it is
/// released.
///
/// One thread may read and another may write at the same time.
public final class LocalSocket: Sendable {
  /// The maximum length of a socket's path, in bytes: what fits into `sockaddr_un`.
  public static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  let descriptor: FileDescriptor

  /// Connects to the socket at `path`. If `timeout` is not `nil`, connecting, reading and writing each time out after
  /// that duration.
  ///
  /// - Throws: `Errno`: `noSuchFileOrDirectory` if there is no socket, `connectionRefused` if no process listens on it,
  ///   `resourceTemporarilyUnavailable` after a timeout.
  public init(connectingTo path: FilePath, timeout: Duration? = nil) throws(Errno) {
    var address = try Self.address(path)
    let number = try Self.makeSocket()
    if let timeout { Self.setTimeout(timeout, of: number) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    let code = errno
    descriptor = FileDescriptor(rawValue: number)
    // `deinit` closes the descriptor, even if the initialiser throws now.
    guard result == 0 else { throw Errno(rawValue: code) }
  }

  deinit { try? descriptor.close() }

  /// Creates a socket at `path`, on which a server can listen. From the first moment, only its owner can connect to it.
  /// The caller closes the returned descriptor, which is closed on exec.
  ///
  /// - Throws: `Errno`: `addressInUse` if there is a file at `path`.
  package static func makeListener(at path: FilePath) throws(Errno) -> CInt {
    var address = try Self.address(path)
    let number = try makeSocket()
    #if os(Linux)
      // The file gets the mode of the socket. To change the process's umask would also change that of other threads.
      fchmod(number, 0o600)
    #else
      let mask = umask(0o177)
      defer { umask(mask) }
    #endif
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(number)
      throw Errno(rawValue: code)
    }
    return number
  }

  private static func address(_ path: FilePath) throws(Errno) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.systemBytes
    guard bytes.count <= pathLimit else { throw .fileNameTooLong }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
    }
    return address
  }

  /// Returns the descriptor of a new socket, which is closed on exec.
  private static func makeSocket() throws(Errno) -> CInt {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #endif
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    #if canImport(Darwin)
      _ = unsafe fcntl(number, F_SETFD, FD_CLOEXEC)
    #endif
    return number
  }

  /// The time that is enough for an answer at a socket that ``isOrphaned``.
  public static let orphanTimeout = Duration.milliseconds(300)

  static func setTimeout(_ timeout: Duration, of number: Int32) {
    // A timeout of zero would mean none.
    setTimeout(microseconds: max(1, Int(min(max(.zero, timeout), .seconds(3600)) / .microseconds(1))), of: number)
  }

  /// The ID of the process that listens on the socket; `nil` if the system does not report it.
  public var listeningProcess: Int32? {
    #if os(Linux)
      // A `ucred` of unix(7), which the C library declares only for GNU sources.
      var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
      var size = socklen_t(MemoryLayout.size(ofValue: credentials))
      guard unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
        return nil
      }
      return credentials.process > 0 ? credentials.process : nil
    #else
      return nil
    #endif
  }

  /// Whether the process that began to listen has ended. The socket is then held open by a program that this process
  /// has started: a daemon, or one that will never answer. `false` if the system does not report it.
  public var isOrphaned: Bool { listeningProcess.map(ProcessIdentity.hasEnded) ?? false }

  /// Whether something that was written has not been read by the other end yet; `false` if the system does not report
  /// it.
  public var hasUnreadOutput: Bool {
    #if os(Linux)
      var count: Int32 = 0
      return unsafe ioctl(descriptor.rawValue, UInt(TIOCOUTQ), &count) == 0 && count > 0
    #else
      return false
    #endif
  }

  /// Sets the timeouts for reading and writing.
  public func limitWaiting(to timeout: Duration) { Self.setTimeout(timeout, of: descriptor.rawValue) }

  /// Removes the timeouts for reading and writing.
  public func waitWithoutLimit() { Self.setTimeout(microseconds: 0, of: descriptor.rawValue) }

  private static func setTimeout(microseconds: Int, of number: Int32) {
    var time = timeval()
    time.tv_sec = .init(microseconds / 1_000_000)
    time.tv_usec = .init(microseconds % 1_000_000)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(
        number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout.size(ofValue: time)))
    }
  }

  /// Ends the connection, so that a thread that reads from it continues.
  public func shutDown() { _ = shutdown(descriptor.rawValue, Int32(SHUT_RDWR)) }

  /// Writes all of `bytes`; blocks until the system has accepted them.
  public func write(_ bytes: some Sequence<UInt8>) throws(Errno) {
    try asErrno { try descriptor.writeAll(bytes) }
  }

  /// Reads at most `limit` bytes. Blocks until there is at least one; returns an empty array at the end of the stream.
  public func read(limit: Int = 1 << 16) throws(Errno) -> [UInt8] {
    try asErrno {
      try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        count = unsafe try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }
}

extension LocalSocket {
  /// Waits until data arrives on one of `sockets`, for at most `duration`; returns the indices of the sockets with
  /// data.
  ///
  /// A socket that the other end has closed is included: reading it returns no bytes. The duration is rounded down to
  /// whole milliseconds. If it is below a millisecond, the wait takes at most a tenth of a millisecond.
  package static func waitForAny(of sockets: [LocalSocket], atMost duration: Duration) -> [Int] {
    var polled = sockets.map { pollfd(fd: $0.descriptor.rawValue, events: Int16(POLLIN), revents: 0) }
    let milliseconds = Int32(clamping: Int64((max(.zero, min(duration, .seconds(3600)))) / .milliseconds(1)))
    var count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if count == 0, milliseconds == 0, duration > .zero {
      // poll(2) has no shorter timeout.
      var time = timespec(tv_sec: 0, tv_nsec: Int(min(duration, .microseconds(100)) / .nanoseconds(1)))
      unsafe nanosleep(&time, nil)
      count = unsafe poll(&polled, nfds_t(polled.count), 0)
    }
    return count > 0 ? polled.indices.filter { polled[$0].revents != 0 } : []
  }
}
