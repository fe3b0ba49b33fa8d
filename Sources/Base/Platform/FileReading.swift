// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// Returns what `body` returns, and throws its error as an `Errno`: swift-system does not declare the type of its
/// errors. Any other error becomes `ioError`.
@discardableResult
package func asErrno<Value>(_ body: () throws -> Value) throws(Errno) -> Value {
  do { return try body() } catch { throw error as? Errno ?? .ioError }
}

extension FileDescriptor {
  /// Reads until `buffer` is full, the file ends or reading fails; returns the number of bytes.
  public func readFully(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var failure: Errno?
    return unsafe readFully(at: offset, into: buffer, failure: &failure)
  }

  /// Reads until `buffer` is full, the file ends or reading fails; returns the number of bytes. Sets `failure` if
  /// reading failed.
  public func readFully(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, failure: inout Errno?
  ) -> Int {
    var filled = 0
    do {
      while filled < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = try unsafe read(fromAbsoluteOffset: offset + Int64(filled), into: rest)
        guard count > 0 else { break }
        filled += count
      }
    } catch {
      failure = error as? Errno
    }
    return filled
  }

  /// Returns `count` bytes at `offset`, or fewer if the file ends or cannot be read.
  public func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe readFully(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Whether the file has a byte at `offset`, and it can be read.
  public func hasByte(at offset: Int64) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
      unsafe readFully(at: offset, into: byte) == 1
    }
  }

  /// Returns a path to the open file: `name` if that still leads to it, otherwise one that does not depend on the names
  /// of the file, and is valid as long as the descriptor is open.
  ///
  /// On Linux, opening the path gives a descriptor with a position of its own.
  public func path(preferring name: FilePath) -> FilePath {
    if let identity = try? FileStatus(of: self).identity, (try? FileStatus(of: name))?.identity == identity {
      return name
    }
    #if canImport(Darwin)
      return FilePath("/dev/fd/\(rawValue)")
    #else
      return FilePath("/proc/self/fd/\(rawValue)")
    #endif
  }
}
