public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock that one holder has at a time, of all processes of this machine; it goes with its last reference, or with the
/// process.
public final class FileLock: Sendable {
  private static let pause: UInt64 = 5

  private let descriptor: FileDescriptor

  /// Takes the lock that the file at `path` stands for, which is made where it is missing; waits for it until
  /// `deadline`.
  ///
  /// - Throws: `Errno`; `wouldBlock` where somebody else has it all that time.
  public init(_ path: FilePath, until deadline: MonotonicInstant) throws(Errno) {
    descriptor = try Self.locked(until: deadline) {
      try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec], permissions: [.ownerReadWrite])
    }
  }

  /// Takes the lock that the directory at `path` stands for itself, which leaves no file behind; waits for it until
  /// `deadline`.
  ///
  /// - Throws: `Errno`; `wouldBlock` where somebody else has it all that time.
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

/// Why a lock was not taken.
public enum OwnerLockError: Error, Sendable, Hashable {
  /// A process has it: the one with this number, where that is known.
  case owned(by: Int32?)
  /// The file cannot be made, opened or locked.
  case unusable(Errno)
}

/// A lock that one process of this machine has at a time, and that names it. It goes with its last reference, or with
/// the process, however that ends.
public final class OwnerLock: Sendable {
  private let lock: FileLock

  /// Takes the lock that the file at `path` stands for, which is made where it is missing. Does not wait.
  public init(_ path: FilePath) throws(OwnerLockError) {
    do throws(Errno) {
      lock = try FileLock(path, until: .now)
    } catch {
      throw error == .wouldBlock ? .owned(by: Self.owner(of: path)) : .unusable(error)
    }
    // Whoever cannot read it does without the number.
    _ = try? Self.write("\(ProcessIdentity.own)\n", to: path)
  }

  /// The process that has the lock at `path`, where one has it and is known.
  public static func owner(of path: FilePath) -> Int32? {
    guard let bytes = try? AtomicFile.read(path, limit: 64),
      let number = Int32(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }),
      ProcessIdentity.isRunning(number)
    else { return nil }
    return number
  }

  /// Writes over what is there, and cuts it only then: of a file that was cut to nothing, ext4 waits at its end until
  /// the disk has it.
  private static func write(_ text: String, to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
    try file.closeAfter {
      let bytes = Array(text.utf8)
      let count = try unsafe bytes.withUnsafeBytes { unsafe try file.write($0) }
      try file.resize(to: Int64(count))
    }
  }
}
