import CSndfile
import SystemPackage

/// A file as libsndfile should see it: some bytes of our own, then the file from a place on.
///
/// libsndfile takes the length of an MP3 file that does not state it from the bit rate of its first frame, and gives no
/// frame beyond it. So the file is given a frame that states its length.
final class PatchedFile {
  /// How libsndfile reads it; the context is the unretained object.
  @unsafe static let callbacks = unsafe SF_VIRTUAL_IO(
    get_filelen: { unsafe PatchedFile.from($0)?.length ?? 0 },
    seek: { unsafe PatchedFile.from($2)?.seek($0, from: $1) ?? -1 },
    read: { unsafe PatchedFile.from($2)?.read(into: $0, count: $1) ?? 0 },
    write: { _, _, _ in 0 },
    tell: { unsafe PatchedFile.from($0)?.position ?? 0 })

  private let prefix: [UInt8]
  /// The file itself; closed when this goes.
  let descriptor: FileDescriptor
  /// What the system said when the file could not be read.
  private(set) var failure: Errno?
  /// Where the file's own bytes begin.
  private let start: Int64
  private let length: Int64
  private var position: Int64 = 0

  /// The MPEG layer III stream that `descriptor` reads, with its length; `nil` where it is none, or states it already.
  ///
  /// Takes the descriptor, and closes it in any case.
  init?(statingLengthOf descriptor: FileDescriptor) {
    var bytes = ByteWindow(descriptor)
    guard let scan = MPEGStreamScan(&bytes), !scan.statesLength,
      let end = try? descriptor.seek(offset: 0, from: .end)
    else {
      try? descriptor.close()
      return nil
    }
    prefix = scan.firstHeader.framesStating(frameCount: scan.frameCount(&bytes))
    start = scan.start
    length = Int64(prefix.count) + max(0, end - scan.start)
    self.descriptor = descriptor
  }

  deinit { try? descriptor.close() }

  private static func from(_ context: UnsafeMutableRawPointer?) -> PatchedFile? {
    unsafe context.map { unsafe Unmanaged<PatchedFile>.fromOpaque($0).takeUnretainedValue() }
  }

  private func seek(_ offset: Int64, from whence: Int32) -> Int64 {
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

  private func read(into buffer: UnsafeMutableRawPointer?, count: Int64) -> Int64 {
    guard let buffer = unsafe buffer, count > 0, position < length else { return 0 }
    let target = unsafe UnsafeMutableRawBufferPointer(
      start: buffer, count: Int(min(count, length - position)))
    var filled = 0
    if position < prefix.count {
      let own = prefix[Int(position)...].prefix(target.count)
      unsafe target.copyBytes(from: own)
      filled = own.count
    }
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...])
    let place = start + position + Int64(filled) - Int64(prefix.count)
    filled += unsafe descriptor.readFully(at: place, into: rest, failure: &failure)
    position += Int64(filled)
    return Int64(filled)
  }
}
