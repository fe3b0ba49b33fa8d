// SPDX-License-Identifier: GPL-3.0-or-later

/// The header of a frame of MPEG audio (ISO/IEC 11172-3 and 13818-3, section 2.4.1.3, and MPEG 2.5).
public struct MPEGFrameHeader: Equatable, Sendable {
  /// The version of MPEG audio.
  public enum Version: Sendable { case mpeg1, mpeg2, mpeg25 }

  public let version: Version
  /// The layer, 1 to 3.
  public let layer: Int
  /// The sample rate, in Hz.
  public let sampleRate: Int
  /// Whether there is one channel; otherwise there are two.
  public let isMono: Bool
  /// The bit rate, in bits per second.
  public let bitRate: Int
  /// The length of the frame in bytes, including the header.
  public let length: Int

  /// Parses the header at the start of `bytes`; returns `nil` if there is none, or if its bit rate is free.
  public init?(_ bytes: ArraySlice<UInt8>) {
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
    let isMPEG1 = version == .mpeg1
    sampleRate = [44_100, 48_000, 32_000][rateIndex] / (isMPEG1 ? 1 : version == .mpeg2 ? 2 : 4)
    isMono = bytes[3] >> 6 == 3
    bitRate = Self.kilobits(isMPEG1: isMPEG1, layer: layer)[bitRateIndex - 1] * 1000
    let padding = Int(bytes[2] >> 1 & 1)
    length =
      layer == 1
      ? (12 * bitRate / sampleRate + padding) * 4
      : (isMPEG1 || layer == 2 ? 144 : 72) * bitRate / sampleRate + padding
  }

  /// The mean length of frames with this bit rate, in bytes: some of them are padded.
  public var meanLength: Double {
    let slots = layer == 1 ? 48.0 : version == .mpeg1 || layer == 2 ? 144 : 72
    return slots * Double(bitRate) / Double(sampleRate)
  }

  /// The lengths of frames with the lowest and the highest bit rate of this version and layer, in bytes.
  var possibleLengths: ClosedRange<Int64> {
    let rates = Self.kilobits(isMPEG1: version == .mpeg1, layer: layer)
    let scale = meanLength * 1_000 / Double(bitRate)
    return Int64(Double(rates[0]) * scale)...Int64(Double(rates[rates.count - 1]) * scale) + 4
  }

  /// The offset in a frame, in bytes, of the Xing tag, which states the stream's length: after the header and the side
  /// information. Encoders put it into a frame without audio.
  public var xingOffset: Int {
    version == .mpeg1 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  /// Returns the number of bytes that a frame of layer III takes from earlier frames. `head` is the start of the frame:
  /// its header, its checksum if it has one, and the beginning of its side information.
  public func reservoirBytes(_ head: [UInt8]) -> Int {
    guard layer == 3, head.count >= 2 else { return 0 }
    let side = head.dropFirst(head[1] & 1 == 0 ? 6 : 4).prefix(2)
    guard let first = side.first, let second = side.last, side.count == 2 else { return 0 }
    return version == .mpeg1 ? Int(first) << 1 | Int(second) >> 7 : Int(first)
  }

  /// Whether a frame with header `other` can be in the same stream.
  public func matches(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate && isMono == other.isMono
  }

  /// Returns the bit rates of MPEG 1 (`isMPEG1`), or of MPEG 2 and 2.5, in kbit/s.
  private static func kilobits(isMPEG1: Bool, layer: Int) -> [Int] {
    switch (isMPEG1, layer) {
    case (true, 1): (1...14).map { 32 * $0 }
    case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}

/// Recognises MPEG audio and AAC without a container, also where the bytes begin within a frame, as those of a station
/// do: by consecutive frames that match each other.
public enum FrameChain {
  /// What the frames contain.
  public enum Coding: Sendable {
    /// MPEG audio, of any layer.
    case mpeg
    /// AAC, in ADTS frames.
    case aac
    /// AAC, in frames of LOAS.
    case loas
  }

  /// Returns the offset in `bytes` of the first of `count` consecutive frames of this coding, whose headers must be
  /// there; `nil` if there are none.
  public static func offset(of coding: Coding, count: Int, in bytes: [UInt8]) -> Int? {
    switch coding {
    case .mpeg: offset(count, in: bytes, MPEGFrameHeader.init, \.length) { $0.matches($1) }
    case .aac: offset(count, in: bytes, ADTSHeader.init, \.length) { $0.constants == $1.constants }
    case .loas: offset(count, in: bytes, sync: 0x56, LOASHeader.init, \.length) { _, _ in true }
    }
  }

  private static func offset<Header>(
    _ count: Int, in bytes: [UInt8], sync: UInt8 = 0xFF, _ header: (ArraySlice<UInt8>) -> Header?,
    _ length: (Header) -> Int, _ matches: (Header, Header) -> Bool
  ) -> Int? {
    bytes.indices.first { start in
      guard bytes[start] == sync, let first = header(bytes[start...]) else { return false }
      var next = start + length(first)
      for _ in 1..<count {
        guard next < bytes.count, let following = header(bytes[next...]), matches(first, following) else {
          return false
        }
        next += length(following)
      }
      return true
    }
  }
}

/// The header of an ADTS frame (ISO/IEC 13818-7, section 6.2).
private struct ADTSHeader {
  /// The length of the frame in bytes, including the header.
  let length: Int
  /// The bits that are equal in all frames of a stream: the version, the profile, the sample rate and the channels.
  let constants: [UInt8]

  /// Parses the header at the start of `bytes`; returns `nil` if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes.prefix(6))
    guard bytes.count == 6, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0, bytes[2] >> 2 & 15 < 13 else { return nil }
    length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    constants = [bytes[1], bytes[2] & 0xFD, bytes[3] & 0xC0]
    guard length > 7 else { return nil }
  }
}

/// The header of a frame of LOAS (ISO/IEC 14496-3, section 1.7.2).
private struct LOASHeader {
  /// The length of the frame in bytes, including the header.
  let length: Int

  /// Parses the header at the start of `bytes`; returns `nil` if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes.prefix(3))
    guard bytes.count == 3, bytes[0] == 0x56, bytes[1] & 0xE0 == 0xE0 else { return nil }
    length = 3 + Int(bytes[1] & 0x1F) << 8 + Int(bytes[2])
    guard length > 3 else { return nil }
  }
}
