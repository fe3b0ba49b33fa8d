import CSndfile
import SystemPackage

/// The order of the channels in a frame, from libsndfile's to that of WAVE: front left and right, centre, LFE, back
/// left and right (or back centre), side left and right.
///
/// libsndfile leaves Vorbis and Opus in the order of the Vorbis I specification (section 4.3.9, and RFC 7845, section
/// 5.1.1.2).
struct ChannelOrder {
  /// For each channel in the order of WAVE, where it stands in the order of Vorbis.
  private static let fromVorbis: [Int: [Int]] = [
    3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 5, 3, 4], 7: [0, 2, 1, 6, 5, 3, 4],
    8: [0, 2, 1, 7, 5, 6, 3, 4],
  ]

  private let sources: [Int]
  private var frame: [Float]

  /// The order of the channels of `info`, read from `descriptor`, where the sound begins at `start`; `nil` where they
  /// are in order.
  init?(_ info: SF_INFO, of descriptor: FileDescriptor, from start: Int64) {
    let channels = Int(info.channels)
    guard let sources = Self.fromVorbis[channels] else { return nil }
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_VORBIS): break
    // Only the channel mapping family 1 says what the channels are for.
    case Int(SF_FORMAT_OPUS):
      guard Self.opusMappingFamily(of: descriptor, from: start) == 1 else { return nil }
    default: return nil
    }
    self.sources = sources
    frame = [Float](repeating: 0, count: channels)
  }

  /// Puts the channels of whole frames in order.
  mutating func reorder(_ samples: UnsafeMutableBufferPointer<Float>) {
    for start in stride(from: 0, through: samples.count - sources.count, by: sources.count) {
      for channel in sources.indices { frame[channel] = unsafe samples[start + sources[channel]] }
      for channel in sources.indices { unsafe samples[start + channel] = frame[channel] }
    }
  }

  /// The family in the header of the Opus stream that begins at `start` (RFC 7845, section 5.1).
  private static func opusMappingFamily(of descriptor: FileDescriptor, from start: Int64) -> UInt8? {
    var bytes = ByteWindow(descriptor)
    var place = start
    // Other streams may begin before it.
    for _ in 0..<16 {
      guard let page = OggPage(&bytes, at: place), page.isBeginning else { return nil }
      let packet = Array(bytes.read(at: place + page.bodyOffset, count: 19))
      if packet.count == 19, packet.starts(with: "OpusHead".utf8) { return packet[18] }
      place += page.length
    }
    return nil
  }
}
