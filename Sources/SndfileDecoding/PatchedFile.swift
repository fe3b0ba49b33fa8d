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

  /// The MPEG stream that `descriptor` reads, with its length where it is of layer III; `nil` where it states it already, or
  /// there is nothing to be changed.
  ///
  /// Takes the descriptor, and closes it in any case.
  init?(statingLengthOf descriptor: FileDescriptor) {
    var bytes = ByteWindow(descriptor)
    let end = (try? descriptor.seek(offset: 0, from: .end)) ?? 0
    let tags = MPEGStreamScan.endOfTags(&bytes)
    let scan = MPEGStreamScan(&bytes)
    if let scan, !scan.statesLength, end > 0 {
      prefix = scan.firstHeader.framesStating(frameCount: scan.frameCount(&bytes))
      start = scan.start
    } else if tags > 0, tags < end, scan == nil {
      // Other layers and free bit rates: libsndfile would count the bytes of the tags as sound.
      prefix = []
      start = tags
    } else {
      try? descriptor.close()
      return nil
    }
    length = Int64(prefix.count) + max(0, end - start)
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
