// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// A regular file that is open for reading; closed when this object is released.
final class RegularFile {
  /// The file descriptor, for reading at explicit offsets; its own position is not used.
  let descriptor: FileDescriptor
  /// The size of the file when it was opened, in bytes.
  let size: Int64

  /// Opens the file at `path`, but only if it is a regular file: a FIFO or a device could block forever.
  init(_ path: FilePath) throws(SndfileError) {
    do {
      let status = try FileStatus(of: path)
      guard status.kind == .regular else { throw SndfileError.notRegular }
      size = status.size
      descriptor = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    } catch let error as Errno {
      throw SndfileError(code: SndfileError.system, message: error.description)
    } catch {
      throw .notRegular
    }
  }

  deinit { try? descriptor.close() }

  /// Whether the file has become longer since it was opened.
  var hasGrown: Bool { descriptor.hasByte(at: size) }

  /// Whether the file has become shorter since it was opened.
  var hasShrunk: Bool { size > 0 && !descriptor.hasByte(at: size - 1) }
}

/// Reads small pieces of a file at increasing offsets through a larger buffer.
struct ByteWindow {
  private static let size = 1 << 16

  private let descriptor: FileDescriptor
  private var start: Int64 = 0
  private var bytes: [UInt8] = []

  /// Creates a window on the file of `descriptor`, which still belongs to the caller.
  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Returns `count` bytes at `offset`, or fewer if the file ends or cannot be read.
  mutating func read(at offset: Int64, count: Int) -> ArraySlice<UInt8> {
    if offset < start || offset + Int64(count) > start + Int64(bytes.count) {
      load(from: offset, atLeast: count)
    }
    let index = Int(offset - start)
    guard index < bytes.count else { return [] }
    return bytes[index..<min(index + count, bytes.count)]
  }

  private mutating func load(from offset: Int64, atLeast count: Int) {
    start = offset
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(Self.size, count)) { buffer, filled in
      filled = unsafe descriptor.readFully(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
