import SystemPackage

/// A file as libsndfile should see it: some bytes of our own, then the file from a place on, read ahead in large
/// pieces.
///
/// libsndfile takes the length of an MP3 file that does not state it from the bit rate of its first frame, and gives no
/// frame beyond it. So the file is given a frame that states its length. What libsndfile reads of a file by itself, it
/// reads in the pieces that the decoders ask for: two calls of the system for each MPEG frame, four for 8 KiB of FLAC.
/// In files that it does not open by itself, it forgets where the sound begins behind an ID3v2 tag, or where the second
/// of several tags does; so they begin behind them.
@safe
final class BufferedFile: VirtualFile {
  /// How much is read at first, and behind a seek, in bytes; twice as much from then on, up to ``largestPiece``.
  private static let firstPiece = 1 << 13
  private static let largestPiece = 1 << 16

  private let prefix: [UInt8]
  /// The file itself; closed when this goes.
  let descriptor: FileDescriptor
  /// Where the file's own bytes begin.
  let start: Int64

  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: largestPiece, alignment: 64)
  /// Where what ``piece`` holds begins.
  private var pieceStart: Int64 = 0
  private var pieceCount = 0
  private var nextSize = firstPiece

  /// The file that `descriptor` reads, without ID3v2 tags at its beginning, unless that is a single one of an MPEG
  /// stream.
  ///
  /// Takes the descriptor.
  init(unchanged descriptor: FileDescriptor) {
    prefix = []
    let end = (try? descriptor.seek(offset: 0, from: .end)) ?? 0
    start = min(Self.startOfSound(in: descriptor), end)
    self.descriptor = descriptor
    super.init(length: end - start)
  }

  /// Where a file begins, as libsndfile should see it.
  private static func startOfSound(in descriptor: FileDescriptor) -> Int64 {
    let first = ID3v2Header.size(in: descriptor)
    guard first > 0 else { return 0 }
    var bytes = ByteWindow(descriptor)
    let end = MPEGStreamScan.endOfTags(&bytes)
    // A tag may say that it has a footer, or how long it is, in a way of its own: libsndfile takes the next two.
    for place in [end, first, first - ID3v2Header.length] {
      let mark = bytes.read(at: place, count: 4)
      if otherMarks.contains(where: { mark.elementsEqual($0.utf8) }) { return place }
    }
    return end > first && MPEGFrameHeader(bytes.read(at: end, count: 4)) != nil ? end : 0
  }

  /// How the files begin that libsndfile reads, but for MPEG streams.
  private static let otherMarks = [
    "RIFF", "RIFX", "RF64", "riff", "FORM", ".snd", "dns.", "caff", "fLaC", "OggS",
  ]

  /// The MPEG stream that `descriptor` reads, with its length where it is of layer III; `nil` where it states it
  /// already, or there is nothing to be changed.
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
      unsafe piece.deallocate()
      return nil
    }
    self.descriptor = descriptor
    let rest = max(0, end - start)
    super.init(length: rest + min(Int64(prefix.count), .max - rest))
  }

  deinit {
    try? descriptor.close()
    unsafe piece.deallocate()
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let offset = place + Int64(filled) - pieceStart
      if offset < 0 || offset >= pieceCount {
        load(from: place + Int64(filled))
        if pieceCount == 0 { break }
      } else {
        let count = min(buffer.count - filled, pieceCount - Int(offset))
        let held = unsafe UnsafeRawBufferPointer(rebasing: piece[Int(offset)..<(Int(offset) + count)])
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: held)
        filled += count
      }
    }
    return filled
  }

  /// Has ``piece`` hold what is at `place`, as far as it can be read.
  private func load(from place: Int64) {
    let isGoingOn = pieceCount > 0 && place == pieceStart + Int64(pieceCount)
    nextSize = isGoingOn ? min(2 * nextSize, Self.largestPiece) : Self.firstPiece
    pieceStart = place
    pieceCount = 0
    if place < prefix.count {
      let own = prefix[Int(place)...].prefix(nextSize)
      unsafe piece.copyBytes(from: own)
      pieceCount = own.count
    }
    // Of no file is there anything so far away.
    guard place < .max / 2 - start else { return }
    let placeInFile = start + place + Int64(pieceCount - prefix.count)
    var failure = read(at: placeInFile)
    if pieceCount == 0, failure != nil, nextSize > Self.firstPiece {
      // What can be read ahead of what cannot, is.
      nextSize = Self.firstPiece
      failure = read(at: placeInFile)
    }
    // What was read ahead in vain is read once more when it is wanted.
    if pieceCount == 0, let failure { self.failure = failure }
  }

  /// Appends to ``piece`` what is at `placeInFile`, up to ``nextSize``; gives why that ended early, where something is
  /// wrong.
  private func read(at placeInFile: Int64) -> Errno? {
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: piece[pieceCount..<max(pieceCount, nextSize)])
    var failure: Errno?
    pieceCount += unsafe descriptor.readFully(at: placeInFile, into: room, failure: &failure)
    return failure
  }
}
