import SystemPackage

/// Reads small pieces of a file at rising places, a large piece of it at a time.
struct ByteWindow {
  private static let size = 1 << 16

  private let descriptor: FileDescriptor
  private var start: Int64 = 0
  private var bytes: [UInt8] = []

  /// Reads what `descriptor` reads; the descriptor stays the caller's.
  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// The `count` bytes at `place`, or fewer where the file ends or cannot be read.
  mutating func read(at place: Int64, count: Int) -> ArraySlice<UInt8> {
    if place < start || place + Int64(count) > start + Int64(bytes.count) {
      load(from: place, atLeast: count)
    }
    let offset = Int(place - start)
    guard offset < bytes.count else { return [] }
    return bytes[offset..<min(offset + count, bytes.count)]
  }

  private mutating func load(from place: Int64, atLeast count: Int) {
    start = place
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(Self.size, count)) { buffer, filled in
      filled = unsafe descriptor.readFully(at: place, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}

extension FileDescriptor {
  /// Reads until `buffer` is full, the file ends or reading fails, and gives the number of bytes.
  func readFully(at place: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      guard let count = try? unsafe read(fromAbsoluteOffset: place + Int64(filled), into: rest), count > 0
      else { break }
      filled += count
    }
    return filled
  }
}
