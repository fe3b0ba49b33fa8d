// SPDX-License-Identifier: GPL-3.0-or-later

/// The frame without audio with which a stream of layer III can begin, and which states the length of the stream: in a
/// tag named Xing or Info, as LAME writes it, or VBRI, as the encoders of Fraunhofer write it.
public struct MPEGDescription: Equatable, Sendable {
  public enum Kind: Sendable {
    case xing
    /// A Xing tag of a stream with a constant bit rate.
    case info
    case vbri
  }

  public let kind: Kind
  /// The stated number of the other frames; `nil` if none is stated.
  public let frameCount: Int64?
  /// The offset of ``frameCount`` in the frame, in bytes; it is a big-endian number of 32 bits.
  public let frameCountOffset: Int
  /// The stated size of the stream in bytes; `nil` if none is stated, or 0.
  public let byteCount: Int64?
  /// Whether the frame states the delay of the encoder, as that of LAME does.
  public let statesDelay: Bool

  /// The offset of the VBRI tag, which is the same in all versions.
  private static let offsetOfVBRI = 36

  /// Reads the description in `frame`, whose header is `header`; returns `nil` if there is none.
  public init?(_ frame: [UInt8], _ header: MPEGFrameHeader) {
    guard header.layer == 3 else { return nil }
    let number = { (offset: Int) -> Int64? in
      let bytes = frame.dropFirst(offset).prefix(4)
      return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int64($1) } : nil
    }
    if frame.dropFirst(Self.offsetOfVBRI).starts(with: "VBRI".utf8) {
      kind = .vbri
      byteCount = number(Self.offsetOfVBRI + 10).flatMap { $0 > 0 ? $0 : nil }
      frameCountOffset = Self.offsetOfVBRI + 14
      frameCount = number(frameCountOffset)
      statesDelay = false
      return
    }
    let offset = header.xingOffset
    // The same test as libmpg123's.
    guard frame.dropFirst(6).prefix(max(0, offset - 6)).allSatisfy({ $0 == 0 }), frame.count >= offset + 16 else {
      return nil
    }
    let name = frame[offset..<(offset + 4)]
    guard name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else { return nil }
    kind = name.elementsEqual("Info".utf8) ? .info : .xing
    // The flags say which of the fields follow: two numbers, a table for seeking, and the quality.
    let flags = frame[offset + 7]
    var next = offset + 8
    frameCountOffset = next
    frameCount = flags & 1 != 0 ? number(next) : nil
    if flags & 1 != 0 { next += 4 }
    byteCount = flags & 2 != 0 ? number(next).flatMap { $0 > 0 ? $0 : nil } : nil
    if flags & 2 != 0 { next += 4 }
    if flags & 4 != 0 { next += 100 }
    if flags & 8 != 0 { next += 4 }
    // The tag of LAME begins with a name; the delay and the padding are at offset 21.
    statesDelay = next + 24 <= frame.count && frame[next] != 0 && frame[(next + 21)..<(next + 24)].contains { $0 != 0 }
  }

  /// Whether a stream of the stated size can have the stated number of frames.
  ///
  /// - Parameters:
  ///   - header: The header of this frame.
  ///   - next: The header of the frame after it; `nil` if there is none.
  ///   - size: The number of bytes from this frame to the end of the file.
  public func isCredible(_ header: MPEGFrameHeader, next: MPEGFrameHeader?, size: Int64) -> Bool {
    guard let frameCount, frameCount > 0 else { return false }
    let bytes = byteCount ?? size
    let lengths = header.possibleLengths
    guard (frameCount - 1) * lengths.lowerBound <= bytes, bytes <= (frameCount + 2) * lengths.upperBound else {
      return false
    }
    guard kind == .info, byteCount != nil, let next else { return true }
    // Encoders may count this frame, or not.
    let tolerance = 3 * Double(header.possibleLengths.upperBound)
    let expected = Double(frameCount) * next.meanLength
    return abs(Double(bytes) - expected) <= max(tolerance, expected / 20)
  }
}
