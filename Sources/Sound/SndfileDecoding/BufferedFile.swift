import SystemPackage

/// A part of a file as a decoding library should see it, read ahead in large pieces.
///
/// What the libraries read of a file by themselves, they read in the pieces that their decoders ask for: two calls of
/// the system for each MPEG frame, four for 8 KiB of FLAC.
@safe
final class BufferedFile: VirtualFile {
  /// Bytes that take the place of those that the file has there.
  struct Patch {
    /// From the beginning of the part.
    let place: Int64
    let bytes: [UInt8]
  }

  /// How much is read at first, and behind a seek, in bytes; twice as much from then on, up to ``largestPiece``.
  private static let firstPiece = 1 << 13
  private static let largestPiece = 1 << 16

  /// The file that it is a part of.
  let file: RegularFile
  /// Where in the file it begins.
  let start: Int64
  /// Where in the file it ends; `nil` where it goes on to the end, wherever that is by now.
  private let end: Int64?
  private let patches: [Patch]

  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: largestPiece, alignment: 64)
  /// Where what ``piece`` holds begins.
  private var pieceStart: Int64 = 0
  private var pieceCount = 0
  private var nextSize = firstPiece

  /// The part of `file` from `start`, or its end, up to `end`, or its end, with patches that lie in it.
  init(_ file: RegularFile, from start: Int64 = 0, to end: Int64? = nil, patches: [Patch] = []) {
    self.file = file
    self.start = max(0, min(start, file.size))
    self.end = end
    self.patches = patches
    super.init(length: max(0, min(end ?? file.size, file.size) - self.start))
  }

  deinit { unsafe piece.deallocate() }

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
    // Of no file is there anything so far away.
    guard place < .max / 2 - start else { return }
    var failure = read(at: place)
    if pieceCount == 0, failure != nil, nextSize > Self.firstPiece {
      // What can be read ahead of what cannot, is.
      nextSize = Self.firstPiece
      failure = read(at: place)
    }
    // What was read ahead in vain is read once more when it is wanted.
    if pieceCount == 0, let failure { self.failure = failure }
    for patch in patches { apply(patch) }
  }

  /// Fills ``piece`` with what is at `place`, up to ``nextSize``; gives why that ended early, where something is wrong.
  private func read(at place: Int64) -> Errno? {
    let size = end.map { Int(clamping: min(Int64(nextSize), $0 - start - place)) } ?? nextSize
    guard size > 0 else { return nil }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: piece[..<size])
    var failure: Errno?
    pieceCount = unsafe file.descriptor.readFully(at: start + place, into: room, failure: &failure)
    return failure
  }

  private func apply(_ patch: Patch) {
    for (index, byte) in patch.bytes.enumerated() {
      let offset = patch.place + Int64(index) - pieceStart
      if offset >= 0, offset < pieceCount { unsafe piece[Int(offset)] = byte }
    }
  }
}
