/// Streams of MPEG sound without a container.
enum MPEGSync {
  /// The format of the frame whose header `head` begins with (ISO/IEC 11172-3, section 2.4.1.3; ISO/IEC 13818-7,
  /// section 6.2).
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    let isRateValid = head[2] >> 2 & 3 != 3
    switch head[1] >> 1 & 3 {
    case 0: return head[1] & 0xF0 == 0xF0 && head[2] >> 2 & 15 < 13 ? .aac : nil
    case let layer:
      guard head[1] >> 3 & 3 != 1, head[2] >> 4 != 15, isRateValid else { return nil }
      return layer == 1 ? .mp3 : layer == 2 ? .mp2 : .mp1
    }
  }
}
