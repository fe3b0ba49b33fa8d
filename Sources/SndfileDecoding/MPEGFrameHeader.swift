/// The header of an MPEG audio layer III frame (ISO/IEC 11172-3 and 13818-3, section 2.4.1.3, and MPEG 2.5).
struct MPEGFrameHeader: Equatable {
  enum Version { case mpeg1, mpeg2, mpeg25 }

  let version: Version
  let bitrateIndex: Int
  /// In Hz.
  let sampleRate: Int
  let isPadded: Bool
  let isMono: Bool
  private let bytes: [UInt8]

  /// The header that `bytes` begins with, or `nil` where it begins with none, or with one of another layer or of a free
  /// bit rate.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(4))
    guard bytes.count == 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, bytes[1] & 0x06 == 0x02 else {
      return nil
    }
    switch bytes[1] >> 3 & 3 {
    case 0: version = .mpeg25
    case 2: version = .mpeg2
    case 3: version = .mpeg1
    default: return nil
    }
    bitrateIndex = Int(bytes[2] >> 4)
    let rateIndex = Int(bytes[2] >> 2 & 3)
    guard (1...14).contains(bitrateIndex), rateIndex < 3 else { return nil }
    let divisor = version == .mpeg1 ? 1 : version == .mpeg2 ? 2 : 4
    sampleRate = [44_100, 48_000, 32_000][rateIndex] / divisor
    isPadded = bytes[2] & 0x02 != 0
    isMono = bytes[3] >> 6 == 3
    self.bytes = bytes
  }

  /// Bytes a frame, the header included.
  var length: Int {
    (version == .mpeg1 ? 144 : 72) * kilobitsPerSecond * 1000 / sampleRate + (isPadded ? 1 : 0)
  }

  /// Where in a frame the tag with its length stands that encoders put into a frame without sound: after the header
  /// and the side information.
  var xingOffset: Int {
    version == .mpeg1 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  /// Whether a frame with `other` as its header can stand in the same stream.
  func matches(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && sampleRate == other.sampleRate && isMono == other.isMono
  }

  /// Two frames without sound in the format of this one, of which the first states that the second and `frameCount`
  /// more follow it (the Xing tag, as published by Xing Technologies; flag 1 says that the number of frames is there).
  ///
  /// mpg123 leaves out a decoder's delay at the beginning of what states its length, and behind it the encoder's delay
  /// that LAME's part of the tag gives: together they are the second frame, so that no sound is lost.
  func framesStating(frameCount: UInt32) -> [UInt8] {
    // 128 kbit/s (64 in MPEG 2 and 2.5) gives room for the tag at every sample rate.
    let bitrateIndex: UInt8 = version == .mpeg1 ? 9 : 8
    let head = [bytes[0], bytes[1] | 0x01, bitrateIndex << 4 | bytes[2] & 0x0D, bytes[3]]
    guard let header = MPEGFrameHeader(head) else { return [] }
    let silence = head + [UInt8](repeating: 0, count: header.length - head.count)
    let stated = frameCount == .max ? .max : frameCount + 1
    let count = (0..<4).map { UInt8(truncatingIfNeeded: stated >> (24 - 8 * UInt32($0))) }
    let encoderDelay = (version == .mpeg1 ? 1152 : 576) - Self.decoderDelay
    let delay = [UInt8(encoderDelay >> 4), UInt8(encoderDelay & 15) << 4, 0]
    let encoder = Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12)
    let tag = Array("Xing".utf8) + [0, 0, 0, 1] + count + encoder + delay
    var frame = silence
    frame.replaceSubrange(xingOffset..<(xingOffset + tag.count), with: tag)
    return frame + silence
  }

  /// The delay of a layer III decoder, in samples.
  private static let decoderDelay = 529

  private var kilobitsPerSecond: Int {
    let rates =
      version == .mpeg1
      ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    return rates[bitrateIndex - 1]
  }
}
