import Platform
import SystemPackage

/// A regular file that is open for reading; closed when this goes.
final class RegularFile {
  /// For reading at places of our own; its position belongs to nobody.
  let descriptor: FileDescriptor
  /// In bytes, when it was opened.
  let size: Int64

  /// Opens the regular file at `path`, and nothing else: a FIFO or a device could block for ever.
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

  /// A way to the file that is open, whatever its name is now and even where it has none any more; Linux alone has it.
  ///
  /// What is opened there has a position of its own. Holds as long as this file is open.
  var place: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

  /// Whether it has become shorter since it was opened.
  var isShorter: Bool { size > 0 && !descriptor.hasByte(at: size - 1) }
}

/// Reads small pieces of a file at rising places, a large piece of it at a time.
struct ByteWindow {
  private static let size = 1 << 16

  private let descriptor: FileDescriptor
  private var start: Int64 = 0
  private var bytes: [UInt8] = []

  /// Reads what `descriptor` reads; the descriptor stays the caller's.
  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// The `count` bytes at `place`, or fewer where the file ends or cannot be read.
  mutating func read(at place: Int64, count: Int) -> ArraySlice<UInt8> {
    if place < start || place + Int64(count) > start + Int64(bytes.count) {
      load(from: place, atLeast: count)
    }
    let offset = Int(place - start)
    guard offset < bytes.count else { return [] }
    return bytes[offset..<min(offset + count, bytes.count)]
  }

  private mutating func load(from place: Int64, atLeast count: Int) {
    start = place
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(Self.size, count)) { buffer, filled in
      filled = unsafe descriptor.readFully(at: place, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}

extension FileDescriptor {
  /// Reads until `buffer` is full, the file ends or reading fails, and gives the number of bytes.
  func readFully(at place: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var failure: Errno?
    return unsafe readFully(at: place, into: buffer, failure: &failure)
  }

  /// The same; `failure` becomes why reading failed, where it did.
  func readFully(
    at place: Int64, into buffer: UnsafeMutableRawBufferPointer, failure: inout Errno?
  ) -> Int {
    var filled = 0
    do {
      while filled < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = try unsafe read(fromAbsoluteOffset: place + Int64(filled), into: rest)
        guard count > 0 else { break }
        filled += count
      }
    } catch {
      failure = error as? Errno
    }
    return filled
  }
  /// The bytes at `place`, or fewer where the file ends or cannot be read.
  func bytes(at place: Int64, count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe readFully(at: place, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Whether the file is long enough to have a byte at `place`, and it can be read.
  func hasByte(at place: Int64) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
      unsafe readFully(at: place, into: byte) == 1
    }
  }
}
