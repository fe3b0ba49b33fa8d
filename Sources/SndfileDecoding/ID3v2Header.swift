import Platform
import SystemPackage

/// The header of an ID3v2 tag, with which many MP3 files begin.
enum ID3v2Header {
  /// How many bytes it takes, and a footer.
  static let length: Int64 = 10

  /// How many bytes the tag takes at the beginning of the file; 0 where none is there.
  static func size(in file: FileDescriptor) -> Int64 {
    let header = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, filled in
      filled =
        unsafe (try? file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    guard header.count == Int(length), header.starts(with: "ID3".utf8) else { return 0 }
    // Seven bits of each byte.
    let size = header[6...].reduce(0 as Int64) { $0 << 7 | Int64($1 & 0x7F) }
    return size + length * (header[5] & 0x10 == 0 ? 1 : 2)
  }
}
