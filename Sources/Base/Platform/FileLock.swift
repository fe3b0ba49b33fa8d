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
