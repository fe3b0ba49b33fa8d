import CSndfile
import SystemPackage

/// What a decoding library reads in the place of a file: bytes that a subclass gives.
///
/// Belongs to one thread at a time, and outlives the handle that reads it.
class VirtualFile {
  /// How libsndfile reads it; the context is the unretained object.
  @unsafe static let callbacks = unsafe SF_VIRTUAL_IO(
    get_filelen: { unsafe VirtualFile.from($0)?.length ?? 0 },
    seek: { unsafe VirtualFile.from($2)?.seek($0, from: $1) ?? -1 },
    read: { unsafe VirtualFile.from($2)?.read(into: $0, count: $1) ?? 0 },
    write: { _, _, _ in 0 },
    tell: { unsafe VirtualFile.from($0)?.position ?? 0 })

  /// In bytes.
  let length: Int64
  /// What the system said when bytes could not be read.
  var failure: Errno?
  /// Where the next read begins.
  private(set) var position: Int64 = 0

  /// A file of `length` bytes.
  init(length: Int64) { self.length = length }

  /// Fills the beginning of `buffer` with the bytes at `place`, as far as there are any, and gives their number.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int { 0 }

  /// Has it be read from its beginning.
  final func rewind() { position = 0 }

  /// Goes to a place in it, as `lseek` does, and gives it; -1 where there is none.
  final func seek(_ offset: Int64, from whence: Int32) -> Int64 {
    let base: Int64? =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: position
      case SEEK_END: length
      default: nil
      }
    guard let (sum, overflow) = base?.addingReportingOverflow(offset), !overflow, sum >= 0 else { return -1 }
    position = sum
    return position
  }

  /// Reads on, as `read` does, but always all that there is, and gives the number of bytes; what a file has grown by
  /// since it was opened, too.
  final func read(into buffer: UnsafeMutableRawPointer?, count: Int64) -> Int64 {
    guard let buffer = unsafe buffer, count > 0, position <= .max - count else { return 0 }
    let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
    let filled = unsafe fill(target, at: position)
    position += Int64(filled)
    return Int64(filled)
  }

  /// The file that a callback's context is.
  static func from(_ context: UnsafeMutableRawPointer?) -> VirtualFile? {
    unsafe context.map { unsafe Unmanaged<VirtualFile>.fromOpaque($0).takeUnretainedValue() }
  }
}
