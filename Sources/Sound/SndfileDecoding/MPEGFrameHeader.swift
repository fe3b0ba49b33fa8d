/// The header of a frame of MPEG audio (ISO/IEC 11172-3 and 13818-3, section 2.4.1.3, and MPEG 2.5).
struct MPEGFrameHeader: Equatable {
  enum Version { case mpeg1, mpeg2, mpeg25 }

  let version: Version
  /// 1 to 3.
  let layer: Int
  /// In Hz.
  let sampleRate: Int
  let isMono: Bool
  /// Bytes a frame, the header included.
  let length: Int

  /// The header that `bytes` begins with, or `nil` where it begins with none, or with one of a free bit rate.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(4))
    guard bytes.count == 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, bytes[1] & 0x06 != 0 else { return nil }
    switch bytes[1] >> 3 & 3 {
    case 0: version = .mpeg25
    case 2: version = .mpeg2
    case 3: version = .mpeg1
    default: return nil
    }
    layer = 4 - Int(bytes[1] >> 1 & 3)
    let bitRateIndex = Int(bytes[2] >> 4)
    let rateIndex = Int(bytes[2] >> 2 & 3)
    guard (1...14).contains(bitRateIndex), rateIndex < 3 else { return nil }
    let isFull = version == .mpeg1
    sampleRate = [44_100, 48_000, 32_000][rateIndex] / (isFull ? 1 : version == .mpeg2 ? 2 : 4)
    isMono = bytes[3] >> 6 == 3
    let bitRate = Self.kilobits(isFull: isFull, layer: layer)[bitRateIndex - 1] * 1000
    let padding = Int(bytes[2] >> 1 & 1)
    length =
      layer == 1
      ? (12 * bitRate / sampleRate + padding) * 4
      : (isFull || layer == 2 ? 144 : 72) * bitRate / sampleRate + padding
  }

  /// Where in a frame the tag with its length stands that encoders put into a frame without sound: after the header
  /// and the side information.
  var xingOffset: Int {
    version == .mpeg1 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  /// Whether a frame with `other` as its header can stand in the same stream.
  func matches(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate && isMono == other.isMono
  }

  /// The bit rates of MPEG 1, or of MPEG 2 and 2.5, in kbit/s.
  private static func kilobits(isFull: Bool, layer: Int) -> [Int] {
    switch (isFull, layer) {
    case (true, 1): (1...14).map { 32 * $0 }
    case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
