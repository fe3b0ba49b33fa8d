// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An exclusive lock among all processes of this machine; released with its last reference, or with the process.
public final class FileLock: Sendable {
  private static let pause: UInt64 = 5

  private let descriptor: FileDescriptor

  /// Takes the lock on the file at `path`, which is created if it is missing; waits until `deadline` at most.
  ///
  /// - Throws: `Errno`; `wouldBlock` if another holder has it all that time.
  public init(_ path: FilePath, until deadline: MonotonicInstant) throws(Errno) {
    descriptor = try Self.locked(until: deadline) {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec], permissions: [.ownerReadWrite])
    }
  }

  /// Takes the lock on the directory at `path` itself, which leaves no file behind; waits until `deadline` at most.
  ///
  /// - Throws: `Errno`; `wouldBlock` if another holder has it all that time.
  public init(directory path: FilePath, until deadline: MonotonicInstant) throws(Errno) {
    descriptor = try Self.locked(until: deadline) {
      try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
    }
  }

  deinit { try? descriptor.close() }

  private static func locked(
    until deadline: MonotonicInstant, _ open: () throws -> FileDescriptor
  ) throws(Errno) -> FileDescriptor {
    do {
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
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

/// The error of a lock that could not be taken.
public enum OwnerLockError: Error, Sendable, Hashable {
  /// A process has it; with its process id, if known.
  case owned(by: Int32?)
  /// The file cannot be created, opened or locked.
  case unusable(Errno)
}

/// An exclusive lock among all processes of this machine that records its owner. It is released with its last
/// reference, or with the process, however that ends.
public final class OwnerLock: Sendable {
  private let lock: FileLock

  /// Takes the lock on the file at `path`, which is created if it is missing. Does not wait.
  public init(_ path: FilePath) throws(OwnerLockError) {
    do throws(Errno) {
      lock = try FileLock(path, until: .now)
    } catch {
      throw error == .wouldBlock ? .owned(by: Self.owner(of: path)) : .unusable(error)
    }
    // If writing fails, other processes merely do not learn the process id.
    _ = try? Self.write("\(ProcessIdentity.own)\n", to: path)
  }

  /// Returns the process that has the lock at `path`, if there is one and it is known.
  public static func owner(of path: FilePath) -> Int32? {
    guard let bytes = try? AtomicFile.read(path, limit: 64),
      let number = Int32(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }),
      ProcessIdentity.isRunning(number)
    else { return nil }
    return number
  }

  /// Overwrites the contents, and truncates the file only afterwards: if a file was truncated to zero, ext4 waits at
  /// the end of the program until it is on disk.
  private static func write(_ text: String, to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
    try file.closeAfter {
      let bytes = Array(text.utf8)
      let count = try unsafe bytes.withUnsafeBytes { unsafe try file.write($0) }
      try file.resize(to: Int64(count))
    }
  }
}
