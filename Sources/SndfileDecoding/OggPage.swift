/// The header of a page of an Ogg stream (RFC 3533, section 6).
struct OggPage {
  /// The greatest length of a page, in bytes.
  static let maximumLength = 27 + 255 + 255 * 255

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
    self.init(bytes.read(at: place, count: 27 + 255))
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
}
