/// Frames of FLAC without the header of a stream.
enum FLACFrame {
  /// The format of the frame whose header `head` begins with (RFC 9639, section 9.1). It begins as frames of AAC do,
  /// and is distinguished from them by its checksum.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    guard head.count >= 16, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[3] & 1 == 0 else { return nil }
    // The frame's number takes as many bytes as a character of UTF-8 does, and up to seven.
    let first = head[4]
    let numberLength = first < 0x80 ? 1 : (~first).leadingZeroBitCount
    guard numberLength != 1 || first < 0x80, numberLength <= 7 else { return nil }
    let sizeLength = head[2] >> 4 == 6 ? 1 : head[2] >> 4 == 7 ? 2 : 0
    let rateLength = head[2] & 15 == 12 ? 1 : [13, 14].contains(head[2] & 15) ? 2 : 0
    let end = 4 + numberLength + sizeLength + rateLength
    return checksum(head[..<end]) == head[end] ? .rawFLAC : nil
  }

  /// A CRC of 8 bits.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x07) }
    }
  }
}
