// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

/// A regular file whose tags are read in blocks.
///
/// The beginning of the file stays in memory, because nearly all tags are there. Most files are opened once, and read
/// once or twice.
struct TagFile: ~Copyable {
  /// A part of the file that has been read.
  private struct Window {
    /// The maximum number of bytes in one request.
    static let limit = 16 * 1024
    /// The number of bytes to read if fewer are requested.
    static let usualCount = 4 * 1024

    private var start = 0
    private var bytes: [UInt8] = []

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
      let index = offset - start
      return index >= 0 && index <= bytes.count - count ? bytes[index..<index + count] : nil
    }

    mutating func fill(from descriptor: FileDescriptor, at offset: Int, count: Int) {
      start = offset
      bytes = [UInt8](repeating: 0, count: count)
      let filled = unsafe bytes.withUnsafeMutableBytes { target in
        unsafe (try? descriptor.read(fromAbsoluteOffset: Int64(offset), into: target)) ?? 0
      }
      bytes.removeLast(count - filled)
    }
  }

  /// The length in bytes when the file was opened.
  let length: Int
  private let descriptor: FileDescriptor
  private var first = Window()
  private var other = Window()

  /// Opens the file at `path`. Returns `nil` if it cannot be opened or is not a regular file: reading a FIFO or an
  /// endless device would block forever.
  init?(_ path: FilePath) {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return nil
    }
    // With a length beyond that of any file system, an offset after the end of a file could overflow.
    guard let status = try? FileStatus(of: file), status.kind == .regular, status.size <= 1 << 62 else {
      try? file.close()
      return nil
    }
    descriptor = file
    length = Int(status.size)
    first.fill(from: file, at: 0, count: Window.usualCount)
  }

  deinit { try? descriptor.close() }

  /// Returns the `count` bytes at `offset`.
  ///
  /// - Throws: ``UnusualFileError`` if the file is too short, or if `count` is more than 16 KiB.
  mutating func bytes(at offset: Int, count: Int) throws(UnusualFileError) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, count <= Window.limit, offset <= length - count else { throw UnusualFileError() }
    if let bytes = first.bytes(at: offset, count: count) ?? other.bytes(at: offset, count: count) { return bytes }
    other.fill(from: descriptor, at: offset, count: max(count, Window.usualCount))
    guard let bytes = other.bytes(at: offset, count: count) else { throw UnusualFileError() }
    return bytes
  }

  /// Returns the `count` bytes at `offset`, of which there may be more than ``bytes(at:count:)`` returns.
  ///
  /// - Throws: ``UnusualFileError`` if the file is too short.
  mutating func longBytes(at offset: Int, count: Int) throws(UnusualFileError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= length - count else { throw UnusualFileError() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      bytes += try self.bytes(at: offset + bytes.count, count: min(count - bytes.count, Window.limit))
    }
    return bytes
  }
}

extension TagFile {
  private static let chunkLimit = 1_000

  /// Returns the range of the contents of the first chunk with this name in a RIFF file or, with big-endian numbers, an
  /// IFF file. A chunk that is longer than the file ends with it.
  ///
  /// - Throws: ``UnusualFileError`` if there is none.
  mutating func chunk(_ name: String, isBigEndian: Bool = false) throws(UnusualFileError) -> Range<Int> {
    var offset = 12
    for _ in 0..<Self.chunkLimit {
      let header = try bytes(at: offset, count: 8)
      let count = isBigEndian ? header.bigEndian32(at: 4) : header.littleEndian32(at: 4)
      offset += 8
      if header.holds(name) { return offset..<offset + min(count, length - offset) }
      offset += count + count % 2
    }
    throw UnusualFileError()
  }
}

/// The error that a file is damaged or unusual, so that TagLib must read it.
struct UnusualFileError: Error {}

/// Reads numbers and text from the bytes of a file. Indexes count from the start of the slice, and must be within it.
extension ArraySlice<UInt8> {
  func byte(_ index: Int) -> UInt8 { self[startIndex + index] }

  func from(_ index: Int) -> ArraySlice<UInt8> { self[(startIndex + index)...] }

  /// Whether the bytes contain `text` at an index; `false` if they end before it does.
  func holds(_ text: String, at index: Int = 0) -> Bool { dropFirst(index).starts(with: text.utf8) }

  func littleEndian16(at index: Int) -> Int { Int(byte(index)) | Int(byte(index + 1)) << 8 }

  func littleEndian32(at index: Int) -> Int { littleEndian16(at: index) | littleEndian16(at: index + 2) << 16 }

  func littleEndian64(at index: Int) -> UInt64 {
    UInt64(littleEndian32(at: index)) | UInt64(littleEndian32(at: index + 4)) << 32
  }

  func bigEndian32(at index: Int) -> Int {
    Int(byte(index)) << 24 | Int(byte(index + 1)) << 16 | Int(byte(index + 2)) << 8 | Int(byte(index + 3))
  }

  func bigEndian64(at index: Int) -> UInt64 {
    UInt64(bigEndian32(at: index)) << 32 | UInt64(bigEndian32(at: index + 4))
  }

  /// Returns the number in four bytes of seven bits each (ID3v2.4.0, section 6.2). Their highest bits are ignored.
  func synchsafe(at index: Int) -> Int {
    (0..<4).reduce(0) { $0 << 7 | Int(byte(index + $1) & 0x7F) }
  }

  /// Whether none of the four bytes at an index has its highest bit set.
  func isSynchsafe(at index: Int) -> Bool { bigEndian32(at: index) & 0x8080_8080 == 0 }
}
