// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads Ogg Vorbis (https://xiph.org/vorbis/doc/Vorbis_I_spec.html) and Opus (RFC 7845).
extension FastTags {
  /// A packet that begins on a page, across all pages that it spans.
  private struct Packet: SequentialBytes {
    private var page: OggPageHeader
    private var offset: Int
    private var count: Int

    init(at pageOffset: Int, of file: inout TagFile) throws(UnusualFileError) {
      page = try Self.page(at: pageOffset, of: &file)
      offset = page.contentsOffset
      count = page.firstLength
    }

    private static func page(at offset: Int, of file: inout TagFile) throws(UnusualFileError) -> OggPageHeader {
      let page = try OggPageHeader(at: offset, of: &file)
      guard !page.isLast, page.endOffset <= file.length else { throw UnusualFileError() }
      return page
    }

    private mutating func nextPage(of file: inout TagFile) throws(UnusualFileError) {
      guard !page.endsFirst else { throw UnusualFileError() }
      page = try Self.page(at: page.endOffset, of: &file)
      offset = page.contentsOffset
      count = page.firstLength
    }

    mutating func read(_ wanted: Int, of file: inout TagFile) throws(UnusualFileError) -> ArraySlice<UInt8> {
      var bytes: ArraySlice<UInt8> = []
      while bytes.count < wanted {
        while count == 0 { try nextPage(of: &file) }
        let part = try file.bytes(at: offset, count: min(wanted - bytes.count, count))
        try skip(part.count, of: &file)
        if bytes.isEmpty { bytes = part } else { bytes += part }
      }
      return bytes
    }

    mutating func skip(_ wanted: Int, of file: inout TagFile) throws(UnusualFileError) {
      var remaining = wanted
      while remaining > 0 {
        while count == 0 { try nextPage(of: &file) }
        let part = min(remaining, count)
        offset += part
        count -= part
        remaining -= part
      }
    }

    /// Skips the rest of the packet.
    ///
    /// - Throws: ``UnusualFileError`` if the file ends before the packet does.
    mutating func finish(_ file: inout TagFile) throws(UnusualFileError) {
      while !page.endsFirst { try nextPage(of: &file) }
    }
  }

  mutating func readOgg(_ file: inout TagFile, isOpus: Bool) throws(UnusualFileError) {
    let head = try OggPageHeader(at: 0, of: &file)
    let headLength = isOpus ? 19 : 28
    guard !head.isLast, head.isOnePacket, head.firstLength >= headLength else { throw UnusualFileError() }
    let bytes = try file.bytes(at: head.contentsOffset, count: headLength)
    guard bytes.holds(isOpus ? "OpusHead" : "\u{1}vorbis") else { throw UnusualFileError() }
    channels = Int(bytes.byte(isOpus ? 9 : 11))
    sampleRate = isOpus ? 48_000 : bytes.littleEndian32(at: 12)
    let preSkip = isOpus ? bytes.littleEndian16(at: 10) : 0
    guard (1...1_000_000_000).contains(sampleRate) else { throw UnusualFileError() }

    var packet = try Packet(at: head.endOffset, of: &file)
    let signature = isOpus ? "OpusTags" : "\u{3}vorbis"
    guard try packet.read(signature.utf8.count, of: &file).holds(signature) else { throw UnusualFileError() }
    try readComments(&packet, of: &file)
    try packet.finish(&file)

    let last = try OggPageHeader(lastOf: &file)
    guard last.serial == head.serial, head.position >= 0, last.position >= 0,
      last.position - head.position > preSkip
    else { throw UnusualFileError() }
    try setLength(frames: Double(last.position - head.position - preSkip), sampleRate: Double(sampleRate))
  }
}
