// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import CStandard
import Synchronization
public import SystemPackage

/// Another program that this process has started to work for it. Can be used from any thread.
///
/// The program's standard input is a socket through which it receives messages and descriptors; its outputs lead
/// nowhere. It is killed when the last reference to this object is released.
public final class HelperProcess: Sendable {
  private let process: pid_t
  private let socket: FileDescriptor

  /// Starts the program at `path`.
  ///
  /// - Throws: `Errno` if it cannot be started.
  public init(_ path: FilePath) throws(Errno) {
    var sockets: [CInt] = [-1, -1]
    let code = unsafe ProcessSocketPair(&sockets)
    guard code == 0 else { throw Errno(rawValue: code) }
    let theirs = FileDescriptor(rawValue: sockets[1])
    socket = FileDescriptor(rawValue: sockets[0])
    let spawned = Result { () throws(Errno) in
      // A group of its own keeps the signals of the terminal from the helper, which ends with this program anyway.
      try ProgramStart.spawn(path, [path.string], input: theirs, outputs: .discarded, isForeground: false) { variable in
        Self.variablePrefixes.contains { variable.hasPrefix($0) }
      }
    }
    try? theirs.close()
    do {
      process = try spawned.get()
    } catch {
      try? socket.close()
      throw error
    }
  }

  deinit {
    kill(process, SIGKILL)
    try? socket.close()
    EndedProcesses.collect(process)
  }

  /// Sends a message of a few bytes, and descriptors, which the program gets copies of.
  ///
  /// - Throws: `Errno` if the program has ended, or does not read its messages.
  public func send(_ bytes: [UInt8], _ descriptors: [FileDescriptor] = []) throws(Errno) {
    let numbers = descriptors.map(\.rawValue)
    let code = unsafe ProcessSend(socket.rawValue, bytes, bytes.count, numbers, numbers.count)
    if code != 0 { throw Errno(rawValue: code) }
  }

  /// A helper gets only the variables that the system needs to find libraries, and FFmpeg to find a proxy.
  private static let variablePrefixes = ["LD_", "DYLD_", "http_proxy=", "no_proxy="]
}

/// Collects the exit statuses of processes, so that nothing remains of them in the system.
private enum EndedProcesses {
  /// The processes that had not ended when they were last looked at.
  private static let remaining = Mutex<[pid_t]>([])
  /// How long to wait for a process that was killed, in milliseconds. The system takes about one.
  private static let timeout = 50

  /// Waits briefly until `process`, which was killed, has ended; otherwise it is collected by a later call.
  static func collect(_ process: pid_t) {
    var processes = remaining.withLock { list in
      defer { list = [] }
      return list + [process]
    }
    for _ in 0..<timeout {
      processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
      if processes.isEmpty { return }
      usleep(1_000)
    }
    remaining.withLock { $0 += processes }
  }
}

/// A pipe between this process and a helper.
public struct HelperPipe: Sendable {
  /// The end from which this process reads. The caller must close both ends.
  public let reader: FileDescriptor
  /// The end for the helper.
  public let writer: FileDescriptor

  /// Creates a pipe that holds `byteCount` bytes, if the system permits; otherwise fewer.
  ///
  /// - Throws: `Errno` if there are too many open files.
  public init(byteCount: Int) throws(Errno) {
    (reader, writer) = try FileDescriptor.ownPipe(byteCount: byteCount)
  }

  /// Returns the reading end of a new pipe that contains `bytes`, which are few, and ends after them. The caller must
  /// close it.
  ///
  /// - Throws: `Errno` if there are too many open files.
  public static func reader(of bytes: [UInt8]) throws(Errno) -> FileDescriptor {
    let pipe = try HelperPipe(byteCount: bytes.count)
    defer { try? pipe.writer.close() }
    do {
      try pipe.writer.writeAll(bytes)
    } catch {
      try? pipe.reader.close()
      throw error as? Errno ?? .ioError
    }
    return pipe.reader
  }
}

extension FileDescriptor {
  /// Reads up to `buffer.count` bytes. Waits for the first one, at most until `deadline`; returns 0 at the end.
  ///
  /// - Throws: `Errno`: `timedOut` if nothing arrives in time.
  package func read(into buffer: UnsafeMutableRawBufferPointer, until deadline: MonotonicInstant) throws(Errno) -> Int {
    guard ProcessCanRead(rawValue, deadline.pollTimeout) != 0 else { throw .timedOut }
    return try asErrno { try unsafe read(into: buffer) }
  }
}

/// Descriptors that programs started by this process do not inherit, not even one that another thread starts at the
/// same instant. Those of swift-system would be inherited.
extension FileDescriptor {
  /// Returns the ends of a new pipe. If the system permits, it holds `byteCount` bytes, unless that is 0. The caller
  /// must close both ends.
  ///
  /// - Throws: `Errno` if there are too many open files.
  package static func ownPipe(
    byteCount: Int = 0
  ) throws(Errno) -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
    var ends: [CInt] = [-1, -1]
    let code = unsafe ProcessPipe(&ends, CInt(clamping: byteCount))
    guard code == 0 else { throw Errno(rawValue: code) }
    return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  /// Returns another descriptor of the same open file. The caller must close it.
  ///
  /// - Throws: `Errno` if this one is not open, or if there are too many open files.
  package func ownDuplicate() throws(Errno) -> FileDescriptor {
    let number = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: number)
  }
}
