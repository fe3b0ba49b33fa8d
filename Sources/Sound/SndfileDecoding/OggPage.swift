/// The header of a page of an Ogg stream (RFC 3533, section 6).
struct OggPage {
  /// The greatest length of a page, and of its header, in bytes.
  static let maximumLength = 27 + 255 + 255 * 255
  static let maximumHeaderLength = 27 + 255

  /// Which of the file's streams it is a page of.
  let serial: UInt32
  /// Whether a stream begins with it.
  let isBeginning: Bool
  /// Where its contents begin, in bytes from its own beginning.
  let bodyOffset: Int64
  /// In bytes, header and contents.
  let length: Int64

  /// The page at `place`, or `nil` where there is none.
  init?(_ bytes: inout ByteWindow, at place: Int64) {
    self.init(bytes.read(at: place, count: Self.maximumHeaderLength))
  }

  /// The page whose header `bytes` begins with.
  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(27))
    guard head.count == 27, head.starts(with: "OggS".utf8), head[4] == 0 else { return nil }
    let lengths = bytes.dropFirst(27).prefix(Int(head[26]))
    guard lengths.count == Int(head[26]) else { return nil }
    isBeginning = head[5] & 2 != 0
    serial = head[14...17].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    bodyOffset = 27 + Int64(lengths.count)
    length = bodyOffset + lengths.reduce(0) { $0 + Int64($1) }
  }

  /// The checksum of a page, header and contents, as it stands in its bytes 22 to 25: a CRC of 32 bits.
  static func checksum(of page: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 0
    for (place, byte) in page.enumerated() {
      // It is made with zeros in its own place.
      sum ^= UInt32((22..<26).contains(place) ? 0 : byte) << 24
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 1 << 31 == 0 ? 0 : 0x04C1_1DB7) }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
  }
}
