import SystemPackage

/// A file as libsndfile should see it: some bytes of our own, then the file from a place on.
///
/// libsndfile takes the length of an MP3 file that does not state it from the bit rate of its first frame, and gives no
/// frame beyond it. So the file is given a frame that states its length.
final class PatchedFile: VirtualFile {
  private let prefix: [UInt8]
  /// The file itself; closed when this goes.
  let descriptor: FileDescriptor
  /// Where the file's own bytes begin.
  private let start: Int64

  /// The file that `descriptor` reads, as it is.
  ///
  /// Takes the descriptor.
  init(unchanged descriptor: FileDescriptor) {
    prefix = []
    start = 0
    self.descriptor = descriptor
    super.init(length: (try? descriptor.seek(offset: 0, from: .end)) ?? 0)
  }

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
    self.descriptor = descriptor
    super.init(length: Int64(prefix.count) + max(0, end - start))
  }

  deinit { try? descriptor.close() }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    var filled = 0
    if place < prefix.count {
      let own = prefix[Int(place)...].prefix(buffer.count)
      unsafe buffer.copyBytes(from: own)
      filled = own.count
    }
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
    let placeInFile = start + place + Int64(filled) - Int64(prefix.count)
    filled += unsafe descriptor.readFully(at: placeInFile, into: rest, failure: &failure)
    return filled
  }
}
