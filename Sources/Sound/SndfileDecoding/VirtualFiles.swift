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

/// A file of which what has been read is kept, so that it can be read once more without touching it.
final class RecordedFile: VirtualFile {
  private static let blockSize = 1 << 14
  /// How many blocks are kept: more than what stands ahead of the sound has in all but absurd files.
  private static let blockLimit = 1 << 10

  private let source: VirtualFile
  private var blocks: [Int64: [UInt8]] = [:]
  /// Whether only what was kept is given, and `source` is left alone.
  var isReplayed = false

  /// The file that `source` is, of which nothing is kept yet.
  init(_ source: VirtualFile) {
    self.source = source
    super.init(length: source.length)
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let (number, offset) = (place + Int64(filled)).quotientAndRemainder(dividingBy: Int64(Self.blockSize))
      let piece = block(number).dropFirst(Int(offset)).prefix(buffer.count - filled)
      guard !piece.isEmpty else { break }
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      unsafe room.copyBytes(from: piece)
      filled += piece.count
    }
    return filled
  }

  private func block(_ number: Int64) -> [UInt8] {
    if let block = blocks[number] { return block }
    guard !isReplayed else { return [] }
    let source = source
    let place = number * Int64(Self.blockSize)
    let block = unsafe [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, filled in
      filled = unsafe source.fill(UnsafeMutableRawBufferPointer(buffer), at: place)
    }
    if blocks.count < Self.blockLimit { blocks[number] = block }
    return block
  }
}
