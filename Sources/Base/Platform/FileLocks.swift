// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// An exclusive lock among the processes on this machine. It is released when the last reference to it is released, or
/// when the process ends.
public final class FileLock: Sendable {
  private static let pause: UInt64 = 5

  private let descriptor: FileDescriptor

  /// Locks the file at `path`, which is created if it is missing. Waits for the lock at most until `deadline`.
  ///
  /// - Throws: `Errno`; `wouldBlock` if the lock is still held at `deadline`.
  public init(_ path: FilePath, until deadline: MonotonicInstant) throws(Errno) {
    descriptor = try Self.locked(until: deadline) {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec], permissions: [.ownerReadWrite])
    }
  }

  /// Locks the directory at `path` itself, so that no lock file is left behind. Waits for the lock at most until
  /// `deadline`.
  ///
  /// - Throws: `Errno`; `wouldBlock` if the lock is still held at `deadline`.
  public init(directory path: FilePath, until deadline: MonotonicInstant) throws(Errno) {
    descriptor = try Self.locked(until: deadline) {
      try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
    }
  }

  deinit { try? descriptor.close() }

  private static func locked(
    until deadline: MonotonicInstant, _ open: () throws -> FileDescriptor
  ) throws(Errno) -> FileDescriptor {
    try asErrno {
      let descriptor = try open()
      while flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 {
        let error = Errno(rawValue: errno)
        guard error == .wouldBlock || error == .interrupted, MonotonicInstant.now < deadline else {
          try? descriptor.close()
          throw error
        }
        MonotonicInstant.now.advanced(byMilliseconds: pause).sleep()
      }
      return descriptor
    }
  }
}

/// The reason why an ``InstanceLock`` could not be taken.
public enum InstanceLockError: Error, Sendable, Hashable {
  /// A process holds the lock; its process ID is `nil` if it is not known.
  case owned(by: Int32?)
  /// The lock file cannot be created, opened or locked.
  case unusable(Errno)
}

/// An exclusive lock among the processes on this machine, which records the process ID of its owner. It is released
/// when the last reference to it is released, or when the process ends for whatever reason.
public final class InstanceLock: Sendable {
  private let lock: FileLock

  /// Locks the file at `path`, which is created if it is missing. Does not wait.
  public init(_ path: FilePath) throws(InstanceLockError) {
    do throws(Errno) {
      lock = try FileLock(path, until: .now)
    } catch {
      throw error == .wouldBlock ? .owned(by: Self.owner(of: path)) : .unusable(error)
    }
    // If writing fails, other processes merely do not learn the process ID.
    _ = try? Self.write("\(ProcessIdentity.own)\n", to: path)
  }

  /// Returns the ID of the process that holds the lock at `path`; `nil` if there is no such process or its ID is not
  /// known.
  public static func owner(of path: FilePath) -> Int32? {
    guard let bytes = try? AtomicFile.read(path, limit: 64),
      let number = Int32(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }),
      ProcessIdentity.isRunning(number)
    else { return nil }
    return number
  }

  /// Overwrites the contents of the file with `text`, and truncates it only afterwards. If a file was truncated to
  /// zero, ext4 delays the end of the program until the file is on disk.
  private static func write(_ text: String, to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
    try file.closeAfter {
      let bytes = Array(text.utf8)
      let count = try unsafe bytes.withUnsafeBytes { unsafe try file.write($0) }
      try file.resize(to: Int64(count))
    }
  }
}
