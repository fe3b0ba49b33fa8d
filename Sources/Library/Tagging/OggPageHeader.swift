// SPDX-License-Identifier: GPL-3.0-or-later

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
