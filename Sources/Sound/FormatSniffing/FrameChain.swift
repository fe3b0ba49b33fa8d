// SPDX-License-Identifier: GPL-3.0-or-later

/// Recognises MPEG audio and AAC without a container, also where the bytes begin within a frame, as those of a station
/// do: by consecutive frames that match each other.
public enum FrameChain {
  /// What the frames contain.
  public enum Coding: Sendable {
    /// MPEG audio, of any layer.
    case mpeg
    /// AAC, in ADTS frames.
    case aac
  }

  /// Returns the offset in `bytes` of the first of `count` consecutive frames of this coding, whose headers must be
  /// there; `nil` if there are none.
  public static func offset(of coding: Coding, count: Int, in bytes: [UInt8]) -> Int? {
    switch coding {
    case .mpeg: offset(count, in: bytes, MPEGFrameHeader.init, \.length) { $0.matches($1) }
    case .aac: offset(count, in: bytes, ADTSHeader.init, \.length) { $0.constants == $1.constants }
    }
  }

  private static func offset<Header>(
    _ count: Int, in bytes: [UInt8], _ header: (ArraySlice<UInt8>) -> Header?, _ length: (Header) -> Int,
    _ matches: (Header, Header) -> Bool
  ) -> Int? {
    bytes.indices.first { start in
      guard bytes[start] == 0xFF, let first = header(bytes[start...]) else { return false }
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
