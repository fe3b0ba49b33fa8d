// SPDX-License-Identifier: GPL-3.0-or-later

import CSndfile
import Platform
import SystemPackage

/// A file that a decoding library reads through callbacks; a subclass provides its bytes.
///
/// Only one thread at a time may use it. It must outlive the library's handle that reads it.
class VirtualFile {
  /// The callbacks for libsndfile; their context is the unretained object.
  @unsafe static let callbacks = unsafe SF_VIRTUAL_IO(
    get_filelen: { unsafe VirtualFile.from($0)?.length ?? 0 },
    seek: { unsafe VirtualFile.from($2)?.seek($0, from: $1) ?? -1 },
    read: { unsafe VirtualFile.from($2)?.read(into: $0, count: $1) ?? 0 },
    write: { _, _, _ in 0 },
    tell: { unsafe VirtualFile.from($0)?.position ?? 0 })

  /// The length of the file, in bytes.
  let length: Int64
  /// The error of the system if bytes could not be read; `nil` if there was none.
  var failure: Errno?
  /// The offset of the next read.
  private(set) var position: Int64 = 0

  init(length: Int64) { self.length = length }

  /// Fills the beginning of `buffer` with the bytes at `offset`, as far as there are any, and returns their number.
  /// Subclasses override it.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }

  final func rewind() { position = 0 }

  /// Seeks as lseek(2) does, and returns the new offset; -1 if it is invalid.
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

  /// Reads as read(2) does, but always as much as there is, including what was added to the file since it was opened;
  /// returns the number of bytes.
  final func read(into buffer: UnsafeMutableRawPointer?, count: Int64) -> Int64 {
    guard let buffer = unsafe buffer, count > 0, position <= .max - count else { return 0 }
    let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
    let filled = unsafe fill(target, at: position)
    position += Int64(filled)
    return Int64(filled)
  }

  /// Returns the file that a callback's context refers to.
  static func from(_ context: UnsafeMutableRawPointer?) -> VirtualFile? {
    unsafe context.map { unsafe Unmanaged<VirtualFile>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A part of a file, read ahead in large pieces.
///
/// The libraries themselves read in the small pieces that their decoders request: two system calls for each MPEG frame,
/// four for 8 KiB of FLAC.
@safe
final class BufferedFile: VirtualFile {
  /// Bytes that replace those in the file.
  struct Patch {
    /// The offset of the bytes from the beginning of the part.
    let offset: Int64
    let bytes: [UInt8]
  }

  /// The size of the first read, and of the first after a seek, in bytes; later reads double it, up to
  /// ``largestPiece``.
  private static let firstPiece = 1 << 13
  private static let largestPiece = 1 << 16

  let file: RegularFile
  /// The offset in the file at which the part begins.
  let start: Int64
  /// The offset in the file at which the part ends; `nil` for the end of the file, even if the file grows.
  private let end: Int64?
  private var patches: [Patch]

  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: largestPiece, alignment: 64)
  /// The offset of the bytes in ``piece``, from the beginning of the part.
  private var pieceStart: Int64 = 0
  private var pieceCount = 0
  private var nextSize = firstPiece

  /// Creates the part of `file` from `start` up to `end`, both limited to the file, with patches that lie within it.
  init(_ file: RegularFile, from start: Int64 = 0, to end: Int64? = nil, patches: [Patch] = []) {
    self.file = file
    self.start = max(0, min(start, file.size))
    self.end = end
    self.patches = patches
    super.init(length: max(0, min(end ?? file.size, file.size) - self.start))
  }

  deinit { unsafe piece.deallocate() }

  func add(_ patch: Patch) {
    patches.append(patch)
    pieceCount = 0
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let pieceOffset = offset + Int64(filled) - pieceStart
      if pieceOffset < 0 || pieceOffset >= pieceCount {
        load(from: offset + Int64(filled))
        if pieceCount == 0 { break }
      } else {
        let count = min(buffer.count - filled, pieceCount - Int(pieceOffset))
        let index = Int(pieceOffset)
        let availableBytes = unsafe UnsafeRawBufferPointer(rebasing: piece[index..<(index + count)])
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: availableBytes)
        filled += count
      }
    }
    return filled
  }

  /// Fills ``piece`` with the bytes at `offset`, as far as they can be read, and applies the patches.
  private func load(from offset: Int64) {
    let isContiguous = pieceCount > 0 && offset == pieceStart + Int64(pieceCount)
    nextSize = isContiguous ? min(2 * nextSize, Self.largestPiece) : Self.firstPiece
    pieceStart = offset
    pieceCount = 0
    // No file is that long.
    guard offset < .max / 2 - start else { return }
    var failure = read(at: offset)
    if pieceCount == 0, failure != nil, nextSize > Self.firstPiece {
      // Read at least the bytes before the unreadable part.
      nextSize = Self.firstPiece
      failure = read(at: offset)
    }
    // A failed read-ahead is repeated when its bytes are needed.
    if pieceCount == 0, let failure { self.failure = failure }
    for patch in patches { apply(patch) }
  }

  /// Fills ``piece`` with the bytes at `offset`, up to ``nextSize``; returns the error if reading failed.
  private func read(at offset: Int64) -> Errno? {
    let size = end.map { Int(clamping: min(Int64(nextSize), $0 - start - offset)) } ?? nextSize
    guard size > 0 else { return nil }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: piece[..<size])
    var failure: Errno?
    pieceCount = unsafe file.descriptor.readFully(at: start + offset, into: room, failure: &failure)
    return failure
  }

  private func apply(_ patch: Patch) {
    for (index, byte) in patch.bytes.enumerated() {
      let offset = patch.offset + Int64(index) - pieceStart
      if offset >= 0, offset < pieceCount { unsafe piece[Int(offset)] = byte }
    }
  }
}

/// A file that records everything read from it, so that it can be read again without accessing the file.
final class RecordedFile: VirtualFile {
  private static let blockSize = 1 << 14
  /// The maximum number of blocks to record: more than precede the audio in all but absurd files.
  private static let blockLimit = 1 << 10

  private let source: VirtualFile
  private var blocks: [Int64: [UInt8]] = [:]
  /// Whether only recorded bytes are returned, and `source` is not accessed.
  var isReplayed = false

  /// Creates a recording of `source`, which is still empty.
  init(_ source: VirtualFile) {
    self.source = source
    super.init(length: source.length)
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let (number, blockOffset) = (offset + Int64(filled)).quotientAndRemainder(dividingBy: Int64(Self.blockSize))
      let piece = block(number).dropFirst(Int(blockOffset)).prefix(buffer.count - filled)
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
    let offset = number * Int64(Self.blockSize)
    let block = unsafe [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, filled in
      filled = unsafe source.fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
    if blocks.count < Self.blockLimit { blocks[number] = block }
    return block
  }
}
