/// The tags with which a file begins: ID3v2, and what belongs behind the sound, but stands ahead of it.
struct TagsInFront {
  /// Where they end by what they say themselves; may be behind the end of the file.
  private(set) var end: Int64 = 0
  /// Where the last of them begins.
  private(set) var lastStart: Int64 = 0
  /// Where the first of them, an ID3v2 tag, ends by its header alone, where it may say of a footer what is not so.
  private(set) var firstEnd: Int64 = 0

  /// How many there may be.
  private static let limit = 1_000

  /// Those of the file of `size` bytes that `bytes` reads.
  init(_ bytes: inout ByteWindow, size: Int64) {
    for number in 0..<Self.limit {
      let head = bytes.read(at: end, count: 16)
      guard let length = Self.length(head) else { break }
      lastStart = end
      end += length
      if number == 0 { firstEnd = end }
      if end >= size { break }
    }
  }

  /// Whether `bytes` begin one of them.
  static func isTag(_ bytes: some Collection<UInt8>) -> Bool {
    ["ID3", "TAG", "APET", "LYRI"].contains { bytes.starts(with: $0.utf8) }
  }

  /// The length of the tag that `head` begins, or `nil` where it begins none.
  private static func length(_ head: ArraySlice<UInt8>) -> Int64? {
    let head = Array(head)
    guard head.count == 16 else { return nil }
    if head.starts(with: "ID3".utf8) {
      // ID3v2.4.0, sections 3.1 and 3.4: seven bits of each byte, and perhaps a footer.
      let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
      return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
    // ID3v1, which has no length of its own.
    if head.starts(with: "TAG".utf8) { return 128 }
    // The header of an APEv2 tag: what it says does not count itself.
    if head.starts(with: "APETAGEX".utf8) {
      return 32 + head[12...15].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    return nil
  }
}
