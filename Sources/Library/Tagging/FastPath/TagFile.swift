import Platform
import SystemPackage

/// A regular file from which tags are read, in blocks.
///
/// The beginning stays in memory, since nearly all tags are there: most files take one open and one or two reads.
struct TagFile: ~Copyable {
  /// A part of the file.
  private struct Block {
    /// The most bytes that can be asked for at once.
    static let limit = 16 * 1024
    /// How much is read where less is asked for, in bytes.
    static let usualCount = 4 * 1024

    private var start = 0
    private var bytes: [UInt8] = []

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
      let place = offset - start
      return place >= 0 && place <= bytes.count - count ? bytes[place..<place + count] : nil
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

  /// The length when the file was opened, in bytes.
  let length: Int
  private let descriptor: FileDescriptor
  private var first = Block()
  private var other = Block()

  /// Opens the file at `path`; `nil` where it cannot be opened, or is no regular file: a FIFO or an endless device
  /// would block for ever.
  init?(_ path: FilePath) {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return nil
    }
    guard let status = try? FileStatus(of: file), status.kind == .regular else {
      try? file.close()
      return nil
    }
    descriptor = file
    length = Int(status.size)
    first.fill(from: file, at: 0, count: Block.usualCount)
  }

  deinit { try? descriptor.close() }

  /// Returns the `count` bytes from `offset` on.
  ///
  /// - Throws: ``UnusualTags`` where they are not all in the file, or more than 16 KiB.
  mutating func bytes(at offset: Int, count: Int) throws(UnusualTags) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, count <= Block.limit, offset <= length - count else { throw UnusualTags() }
    if let bytes = first.bytes(at: offset, count: count) ?? other.bytes(at: offset, count: count) { return bytes }
    other.fill(from: descriptor, at: offset, count: max(count, Block.usualCount))
    guard let bytes = other.bytes(at: offset, count: count) else { throw UnusualTags() }
    return bytes
  }
}

/// A file is not tagged as most are, so that TagLib has to read it.
struct UnusualTags: Error {}

/// The numbers and texts in a file's bytes; places count from the beginning of the slice, and must be in it.
extension ArraySlice<UInt8> {
  /// The byte at a place.
  func byte(_ place: Int) -> UInt8 { self[startIndex + place] }

  /// The bytes from a place on.
  func from(_ place: Int) -> ArraySlice<UInt8> { self[(startIndex + place)...] }

  /// Whether `text` stands at a place; `false` also where the bytes end before it does.
  func holds(_ text: String, at place: Int = 0) -> Bool { dropFirst(place).starts(with: text.utf8) }

  func littleEndian16(at place: Int) -> Int { Int(byte(place)) | Int(byte(place + 1)) << 8 }

  func littleEndian32(at place: Int) -> Int { littleEndian16(at: place) | littleEndian16(at: place + 2) << 16 }

  func bigEndian32(at place: Int) -> Int {
    Int(byte(place)) << 24 | Int(byte(place + 1)) << 16 | Int(byte(place + 2)) << 8 | Int(byte(place + 3))
  }

  func bigEndian64(at place: Int) -> UInt64 {
    UInt64(bigEndian32(at: place)) << 32 | UInt64(bigEndian32(at: place + 4))
  }

  /// The number in four bytes of seven bits each (ID3v2.4.0, section 6.2); their highest bits do not count.
  func synchsafe(at place: Int) -> Int {
    (0..<4).reduce(0) { $0 << 7 | Int(byte(place + $1) & 0x7F) }
  }

  /// Whether none of the four bytes at a place has its highest bit set.
  func isSynchsafe(at place: Int) -> Bool { bigEndian32(at: place) & 0x8080_8080 == 0 }
}
