// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the consecutive streams, called links, of an Ogg file (RFC 3533, section 4: chaining).
enum OggLinks {
  /// The maximum number of links to distinguish; the rest of the file belongs to the last one.
  private static let limit = 10_000
  /// The maximum number of concurrent streams.
  private static let streamLimit = 16

  /// Returns the offset of each link in a file of `size` bytes; the first one is `start`.
  ///
  /// For a file with one link, only its first pages and its end are read; otherwise the next link is searched for by
  /// bisection.
  static func starts(_ bytes: inout ByteWindow, from start: Int64, size: Int64) -> [Int64] {
    var starts = [start]
    let endStart = max(start, size - Int64(OggPage.maximumLength))
    guard let last = lastPage(in: bytes.read(at: endStart, count: OggPage.maximumLength)) else { return starts }
    var offset = start
    while starts.count < limit {
      let serials = serials(&bytes, at: &offset)
      guard !serials.isEmpty, !serials.contains(last.serial),
        let next = end(of: serials, &bytes, from: offset, to: size)
      else { break }
      starts.append(next)
      offset = next
    }
    return starts
  }

  /// Returns the serial numbers of the streams that begin together at `offset`, and moves `offset` past their first
  /// pages.
  private static func serials(_ bytes: inout ByteWindow, at offset: inout Int64) -> Set<UInt32> {
    var serials: Set<UInt32> = []
    while serials.count < streamLimit, let page = OggPage(&bytes, at: offset), page.isBeginning {
      serials.insert(page.serial)
      offset += page.length
    }
    return serials
  }

  /// Returns the offset of the next link, which begins after the last page of these streams; `nil` if there is none.
  private static func end(
    of serials: Set<UInt32>, _ bytes: inout ByteWindow, from start: Int64, to end: Int64
  ) -> Int64? {
    // The page before `low` belongs to these streams; the first one at or after `high` does not.
    var (low, high) = (start, end)
    var found: (Int64, OggPage)?
    while low < high {
      let middle = low + (high - low) / 2
      guard let (offset, page) = nextPage(&bytes, from: middle, to: high) else {
        high = middle
        continue
      }
      if serials.contains(page.serial) {
        low = offset + page.length
      } else {
        found = (offset, page)
        high = middle
      }
    }
    return found.flatMap { $0.1.isBeginning ? $0.0 : nil }
  }

  /// Returns the first page that begins at `start` or later, and before `end`, with its offset; `nil` if there is none.
  private static func nextPage(_ bytes: inout ByteWindow, from start: Int64, to end: Int64) -> (Int64, OggPage)? {
    var offset = start
    while offset < end {
      let piece = bytes.read(at: offset, count: OggPage.maximumLength + OggPage.maximumHeaderLength)
      for index in piece.indices where piece[index] == UInt8(ascii: "O") {
        let found = offset + Int64(index - piece.startIndex)
        guard found < end else { return nil }
        if let page = OggPage(piece[index...]) { return (found, page) }
      }
      guard piece.count > OggPage.maximumHeaderLength else { return nil }
      offset += Int64(piece.count - OggPage.maximumHeaderLength)
    }
    return nil
  }

  private static func lastPage(in bytes: ArraySlice<UInt8>) -> OggPage? {
    for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "O") {
      if let page = OggPage(bytes[index...]) { return page }
    }
    return nil
  }
}

/// The header of a page of an Ogg stream (RFC 3533, section 6).
struct OggPage {
  /// The maximum length of a page, and of its header, in bytes.
  static let maximumLength = 27 + 255 + 255 * 255
  static let maximumHeaderLength = 27 + 255

  /// The serial number of the page's stream.
  let serial: UInt32
  /// Whether the page is the first of its stream.
  let isBeginning: Bool
  /// The offset of the page's contents from its beginning, in bytes.
  let bodyOffset: Int64
  /// The length of the page, with its header, in bytes.
  let length: Int64

  /// Parses the page header at `offset`; returns `nil` if there is none.
  init?(_ bytes: inout ByteWindow, at offset: Int64) {
    self.init(bytes.read(at: offset, count: Self.maximumHeaderLength))
  }

  /// Parses the page header at the start of `bytes`; returns `nil` if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(27))
    guard head.count == 27, head.starts(with: "OggS".utf8), head[4] == 0 else { return nil }
    let lengths = bytes.dropFirst(27).prefix(Int(head[26]))
    guard lengths.count == Int(head[26]) else { return nil }
    isBeginning = head[5] & 2 != 0
    serial = head[14...17].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    bodyOffset = 27 + Int64(lengths.count)
    length = bodyOffset + lengths.reduce(0) { $0 + Int64($1) }
  }

  /// Returns the checksum of a whole page, as stored in its bytes 22 to 25: a CRC of 32 bits.
  static func checksum(of page: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 0
    for (index, byte) in page.enumerated() {
      // The checksum's own bytes count as zeros.
      sum ^= UInt32((22..<26).contains(index) ? 0 : byte) << 24
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 1 << 31 == 0 ? 0 : 0x04C1_1DB7) }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
  }
}

/// Patches the first page of an Opus stream (RFC 7845, section 5.1).
enum OpusHead {
  /// Returns the patches to the first page, which begins at `start`, that make libsndfile decode at 48 kHz; none if the
  /// stream is not Opus.
  ///
  /// libsndfile decodes at the rate that the audio had before it was encoded, and drops everything above half of that
  /// rate. But Opus itself always uses 48 kHz.
  static func patches(_ bytes: inout ByteWindow, at start: Int64) -> [BufferedFile.Patch] {
    guard let header = OggPage(&bytes, at: start) else { return [] }
    var page = Array(bytes.read(at: start, count: Int(header.length)))
    let body = Int(header.bodyOffset)
    guard page.count == header.length, page.count >= body + 19, page[body...].starts(with: "OpusHead".utf8) else {
      return []
    }
    let rate: [UInt8] = [0x80, 0xBB, 0, 0]
    page.replaceSubrange((body + 12)..<(body + 16), with: rate)
    return [
      BufferedFile.Patch(offset: 22, bytes: OggPage.checksum(of: page)),
      BufferedFile.Patch(offset: Int64(body + 12), bytes: rate),
    ]
  }
}
