/// Ogg Vorbis (https://xiph.org/vorbis/doc/Vorbis_I_spec.html) and Opus (RFC 7845).
extension FastTags {
  /// A packet that begins on a page, over all pages that it takes.
  private struct Packet: SequentialBytes {
    private var page: OggPage
    private var offset: Int
    private var count: Int

    /// The packet that begins on the page at `offset`.
    init(at offset: Int, of file: inout TagFile) throws(UnusualTags) {
      page = try Self.page(at: offset, of: &file)
      self.offset = page.contents
      count = page.firstLength
    }

    private static func page(at offset: Int, of file: inout TagFile) throws(UnusualTags) -> OggPage {
      let page = try OggPage(at: offset, of: &file)
      guard !page.isLast, page.end <= file.length else { throw UnusualTags() }
      return page
    }

    private mutating func turn(_ file: inout TagFile) throws(UnusualTags) {
      guard !page.endsFirst else { throw UnusualTags() }
      page = try Self.page(at: page.end, of: &file)
      offset = page.contents
      count = page.firstLength
    }

    mutating func read(_ wanted: Int, of file: inout TagFile) throws(UnusualTags) -> ArraySlice<UInt8> {
      while count == 0, wanted > 0 { try turn(&file) }
      if wanted <= count {
        let bytes = try file.bytes(at: offset, count: wanted)
        offset += wanted
        count -= wanted
        return bytes
      }
      var bytes = try file.bytes(at: offset, count: count)
      let rest = wanted - count
      count = 0
      bytes += try read(rest, of: &file)
      return bytes
    }

    mutating func skip(_ wanted: Int, of file: inout TagFile) throws(UnusualTags) {
      var left = wanted
      while left > 0 {
        while count == 0 { try turn(&file) }
        let part = min(left, count)
        offset += part
        count -= part
        left -= part
      }
    }

    /// Passes over the rest; throws where it is not all there.
    mutating func finish(_ file: inout TagFile) throws(UnusualTags) {
      while !page.endsFirst { try turn(&file) }
    }
  }

  mutating func readOgg(_ file: inout TagFile, isOpus: Bool) throws(UnusualTags) {
    let head = try OggPage(at: 0, of: &file)
    let headLength = isOpus ? 19 : 28
    guard !head.isLast, head.isOnePacket, head.firstLength >= headLength else { throw UnusualTags() }
    let bytes = try file.bytes(at: head.contents, count: headLength)
    guard bytes.holds(isOpus ? "OpusHead" : "\u{1}vorbis") else { throw UnusualTags() }
    channels = Int(bytes.byte(isOpus ? 9 : 11))
    sampleRate = isOpus ? 48_000 : bytes.littleEndian32(at: 12)
    let skipped = isOpus ? bytes.littleEndian16(at: 10) : 0
    guard (1...1_000_000_000).contains(sampleRate) else { throw UnusualTags() }

    var packet = try Packet(at: head.end, of: &file)
    let mark = isOpus ? "OpusTags" : "\u{3}vorbis"
    guard try packet.read(mark.utf8.count, of: &file).holds(mark) else { throw UnusualTags() }
    try readComments(&packet, of: &file)
    try packet.finish(&file)

    let last = try OggPage(lastOf: &file)
    guard last.serial == head.serial, head.position >= 0, last.position >= 0,
      last.position - head.position > skipped
    else { throw UnusualTags() }
    try setLength(frames: Double(last.position - head.position - skipped), sampleRate: Double(sampleRate))
  }
}

/// The header of a page (RFC 3533, section 6).
struct OggPage {
  private static let headerLength = 27
  /// How far from the end of a file its last page is looked for, in bytes: mostly it is near.
  private static let reaches = [4 * 1024, 16 * 1024]
  /// TagLib looks for it in pieces of this length, and misses what lies across their edges.
  private static let pieceLength = 1024

  /// Where its contents begin in the file.
  let contents: Int
  /// Where it ends in the file.
  let end: Int
  /// The number of the stream to which it belongs.
  let serial: Int
  /// The granule position.
  let position: Int
  /// The number of bytes on it that belong to its first packet.
  let firstLength: Int
  /// Whether its first packet ends on it.
  let endsFirst: Bool
  /// Whether it holds one packet, whole, and nothing else.
  let isOnePacket: Bool
  /// Whether it is the last of its stream.
  let isLast: Bool

  /// The page at `offset`.
  init(at offset: Int, of file: inout TagFile) throws(UnusualTags) {
    let header = try file.bytes(at: offset, count: Self.headerLength)
    let segmentCount = Int(header.byte(26))
    guard header.holds("OggS"), segmentCount > 0 else { throw UnusualTags() }
    isLast = header.byte(5) & 4 != 0
    position = Int(truncatingIfNeeded: header.littleEndian32(at: 6) | header.littleEndian32(at: 10) << 32)
    serial = header.littleEndian32(at: 14)
    let segments = try file.bytes(at: offset + Self.headerLength, count: segmentCount)
    contents = offset + Self.headerLength + segmentCount
    end = segments.reduce(contents) { $0 + Int($1) }
    // A segment of fewer than 255 bytes ends a packet.
    let firstEnd = segments.firstIndex { $0 < 255 }
    endsFirst = firstEnd != nil
    firstLength = segments[...(firstEnd ?? segments.endIndex - 1)].reduce(0) { $0 + Int($1) }
    isOnePacket = firstEnd == segments.endIndex - 1
  }

  /// The last page of a file.
  init(lastOf file: inout TagFile) throws(UnusualTags) {
    for reach in Self.reaches {
      let start = max(0, file.length - reach)
      let bytes = try file.bytes(at: start, count: file.length - start)
      var place = bytes.count - 4
      while place >= 0 {
        if bytes.byte(place) == UInt8(ascii: "O"), bytes.holds("OggS", at: place) {
          let behind = (bytes.count + 4 - place) % Self.pieceLength
          guard behind == 0 || behind >= 4 else { throw UnusualTags() }
          self = try OggPage(at: start + place, of: &file)
          return
        }
        place -= 1
      }
    }
    throw UnusualTags()
  }

  /// Whether the last page of an Ogg file belongs to another stream than the first, as where several follow each
  /// other: what the file says of its length is at best that of the last.
  static func isChained(_ file: inout TagFile) -> Bool {
    guard let first = try? OggPage(at: 0, of: &file), let last = try? OggPage(lastOf: &file) else { return false }
    return first.serial != last.serial
  }
}
