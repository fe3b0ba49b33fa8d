// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing

/// The header of an MPEG audio frame of layer III (ISO/IEC 11172-3, section 2.4.1.3; ISO/IEC 13818-3).
struct MPEGFrame {
  let sampleRate: Int
  let channels: Int
  /// The number of samples per channel.
  let samples: Int
  /// The bit rate in kbit/s.
  let bitRate: Int
  /// The length of the frame in bytes, including the header.
  let length: Int

  private static let sampleRates = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]
  private static let bitRates = [
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  ]

  /// Creates the header at the beginning of `bytes`, or returns `nil` if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.byte(0) == 0xFF, bytes.byte(1) != 0xFF, bytes.byte(1) & 0xE0 == 0xE0 else { return nil }
    let version = Int(bytes.byte(1) >> 3 & 3)
    let rate = Int(bytes.byte(2) >> 2 & 3)
    guard version != 1, bytes.byte(1) >> 1 & 3 == 1, rate != 3 else { return nil }
    bitRate = Self.bitRates[version == 3 ? 1 : 0][Int(bytes.byte(2) >> 4)]
    guard bitRate > 0 else { return nil }
    sampleRate = Self.sampleRates[version][rate]
    channels = bytes.byte(3) >> 6 == 3 ? 1 : 2
    samples = version == 3 ? 1152 : 576
    length = samples * bitRate * 125 / sampleRate + Int(bytes.byte(2) >> 1 & 1)
  }

  /// Whether two headers are equal in all bits that do not change within a stream.
  static func areOfOneStream(_ header: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    (header.bigEndian32(at: 0) ^ other.bigEndian32(at: 0)) & 0xFFFE_0C00 == 0
  }

  /// The "Xing" or "Info" header in the first frame of a stream, which states the length of the stream.
  struct XingHeader {
    let frames: Int
    private let bytes: Int

    /// Creates the header in `frame`, or returns `nil` if there is none.
    init?(_ frame: ArraySlice<UInt8>) {
      func offset(of name: String) -> Int? {
        (0..<max(0, frame.count - 3)).first { frame.byte($0) == name.utf8.first && frame.holds(name, at: $0) }
      }
      guard let offset = offset(of: "Xing") ?? offset(of: "Info"), offset + 16 <= frame.count,
        frame.byte(offset + 7) & 3 == 3
      else { return nil }
      frames = frame.bigEndian32(at: offset + 8)
      bytes = frame.bigEndian32(at: offset + 12)
      guard frames > 0, bytes > 0 else { return nil }
    }

    /// Whether the stream that begins with this header at `start` probably continues behind its stated end, since
    /// several files were joined: frames follow there, or more bytes than tags hardly ever have.
    func isContinued(_ file: inout TagFile, at start: Int) -> Bool {
      let lengthOfID3v1 = 128
      let tagLimit = 8
      var offset = start + bytes
      guard file.length - offset > lengthOfID3v1 else { return false }
      guard file.length - offset <= 65_536 else { return true }
      for _ in 0..<tagLimit {
        guard let head = try? file.bytes(at: offset, count: 16) else { return false }
        if head.holds("TAG") {
          offset += lengthOfID3v1
        } else if head.holds("ID3") {
          offset += head.synchsafe(at: 6) + (head.byte(5) & 0x10 == 0 ? 10 : 20)
        } else if head.holds("APETAGEX") {
          offset += 32 + head.littleEndian32(at: 12)
        } else {
          guard let frame = MPEGFrame(head), let next = try? file.bytes(at: offset + frame.length, count: 4) else {
            return false
          }
          return MPEGFrame.areOfOneStream(head, next)
        }
      }
      return false
    }
  }

  /// Whether the frame at `start`, whose bytes and those of the next header are `bytes`, states an impossible length.
  static func isBelied(_ bytes: ArraySlice<UInt8>, in file: borrowing TagFile, at start: Int) -> Bool {
    guard let header = MPEGFrameHeader(bytes),
      let description = MPEGDescription(Array(bytes.prefix(header.length)), header)
    else { return false }
    let next = MPEGFrameHeader(bytes.dropFirst(header.length))
    return description.frameCount != nil
      && !description.isCredible(header, next: next, size: Int64(file.length - start))
  }

  /// Whether TagLib's length of a stream, whose first frame is at `start`, is a wrong guess. If the frame states the
  /// length (`isStated`), that is so if the length is impossible, or if the stream continues behind it; otherwise, if
  /// the bit rate varies, which is checked at a few positions in the file.
  static func isLengthGuessed(_ file: inout TagFile, at start: Int, isStated: Bool) -> Bool {
    let sectionCount = 8
    let windowLength = 4096
    guard let head = try? file.bytes(at: start, count: 4), let first = MPEGFrame(head) else { return false }
    if let bytes = try? file.bytes(at: start, count: first.length + 4), isBelied(bytes, in: file, at: start) {
      return true
    }
    if isStated {
      guard let bytes = try? file.bytes(at: start, count: first.length) else { return false }
      return XingHeader(bytes)?.isContinued(&file, at: start) ?? false
    }
    // TagLib calculates the length from the bit rate of the first frame, which is correct if all other frames have the
    // same bit rate.
    for section in 1..<sectionCount {
      let offset = start + (file.length - start) / sectionCount * section
      guard let bytes = try? file.bytes(at: offset, count: windowLength) else { break }
      for index in 0...(windowLength - 4) where bytes.byte(index) == 0xFF {
        let header = bytes.from(index)
        guard areOfOneStream(head, header), let frame = MPEGFrame(header), index + frame.length + 4 <= windowLength,
          areOfOneStream(head, header.from(frame.length))
        else { continue }
        if frame.bitRate != first.bitRate { return true }
        break
      }
    }
    return false
  }
}

/// The header of a page of an Ogg file (RFC 3533, section 6).
struct OggPageHeader {
  private static let headerLength = 27
  /// The lengths of the ranges at the end of a file in which its last page is searched for, in bytes.
  private static let searchLengths = [4 * 1024, 16 * 1024]
  /// The length of the pieces that TagLib searches, in bytes. It misses a page whose "OggS" spans two of them.
  private static let pieceLength = 1024

  /// The offset of the page's contents in the file.
  let contentsOffset: Int
  /// The offset of the end of the page in the file.
  let endOffset: Int
  /// The serial number of the page's stream.
  let serial: Int
  /// The granule position of the page.
  let position: Int
  /// The number of bytes on the page that belong to its first packet.
  let firstLength: Int
  /// Whether the first packet ends on the page.
  let endsFirst: Bool
  /// Whether the page contains one whole packet and nothing else.
  let isOnePacket: Bool
  let isLast: Bool

  /// Reads the header of the page at `offset`.
  init(at offset: Int, of file: inout TagFile) throws(UnusualFileError) {
    let header = try file.bytes(at: offset, count: Self.headerLength)
    let segmentCount = Int(header.byte(26))
    guard header.holds("OggS"), segmentCount > 0 else { throw UnusualFileError() }
    isLast = header.byte(5) & 4 != 0
    position = header.littleEndian32(at: 6) | header.littleEndian32(at: 10) << 32
    serial = header.littleEndian32(at: 14)
    let segments = try file.bytes(at: offset + Self.headerLength, count: segmentCount)
    contentsOffset = offset + Self.headerLength + segmentCount
    endOffset = segments.reduce(contentsOffset) { $0 + Int($1) }
    // A segment of fewer than 255 bytes ends a packet.
    let firstEnd = segments.firstIndex { $0 < 255 }
    endsFirst = firstEnd != nil
    firstLength = segments[...(firstEnd ?? segments.endIndex - 1)].reduce(0) { $0 + Int($1) }
    isOnePacket = firstEnd == segments.endIndex - 1
  }

  /// Reads the header of the last page of a file.
  init(lastOf file: inout TagFile) throws(UnusualFileError) {
    for searchLength in Self.searchLengths {
      let start = max(0, file.length - searchLength)
      let bytes = try file.bytes(at: start, count: file.length - start)
      var index = bytes.count - 4
      while index >= 0 {
        if bytes.byte(index) == UInt8(ascii: "O"), bytes.holds("OggS", at: index) {
          let distance = (bytes.count + 4 - index) % Self.pieceLength
          guard distance == 0 || distance >= 4 else { throw UnusualFileError() }
          self = try OggPageHeader(at: start + index, of: &file)
          return
        }
        index -= 1
      }
    }
    throw UnusualFileError()
  }

  /// Whether the last page of an Ogg file belongs to a different stream than the first. The file then consists of
  /// several streams, one after another, and the stated length is at best that of the last one.
  static func isChained(_ file: inout TagFile) -> Bool {
    guard let first = try? OggPageHeader(at: 0, of: &file), let last = try? OggPageHeader(lastOf: &file) else {
      return false
    }
    return first.serial != last.serial
  }
}
