// SPDX-License-Identifier: GPL-3.0-or-later

/// Bytes that are read in sequence: a FLAC block, or an Ogg packet across its pages.
protocol SequentialBytes {
  /// Returns the next `count` bytes.
  ///
  /// - Throws: ``UnusualFileError`` if there are fewer.
  mutating func read(_ count: Int, of file: inout TagFile) throws(UnusualFileError) -> ArraySlice<UInt8>

  /// Skips the next `count` bytes. Throws like ``read(_:of:)``.
  mutating func skip(_ count: Int, of file: inout TagFile) throws(UnusualFileError)
}

/// Reads Vorbis comments (https://www.xiph.org/vorbis/doc/v-comment.html).
extension FastTags {
  private static let keyLimit = 64
  private static let commentLimit = 16 * 1024
  private static let countLimit = 1_000

  /// Adds the comments in `source`, except pictures. Does not throw if there are none.
  mutating func readComments(_ source: inout some SequentialBytes, of file: inout TagFile) throws(UnusualFileError) {
    let vendorLength = try source.read(4, of: &file).littleEndian32(at: 0)
    try source.skip(vendorLength, of: &file)
    let count = try source.read(4, of: &file).littleEndian32(at: 0)
    guard count <= Self.countLimit else { throw UnusualFileError() }
    for _ in 0..<count {
      let length = try source.read(4, of: &file).littleEndian32(at: 0)
      try readComment(&source, length: length, of: &file)
    }
    sort()
  }

  private mutating func readComment(
    _ source: inout some SequentialBytes, length: Int, of file: inout TagFile
  ) throws(UnusualFileError) {
    let start = try source.read(min(length, Self.keyLimit), of: &file)
    guard let separator = start.firstIndex(of: UInt8(ascii: "=")), separator > start.startIndex else {
      throw UnusualFileError()
    }
    let key = start[..<separator]
    guard key.allSatisfy({ (0x20...0x7D).contains($0) }) else { throw UnusualFileError() }
    let name = String(decoding: key, as: UTF8.self).uppercased()
    if name == "METADATA_BLOCK_PICTURE" || name == "COVERART" {
      return try source.skip(length - start.count, of: &file)
    }
    guard length <= Self.commentLimit else { throw UnusualFileError() }
    var bytes = start[(separator + 1)...]
    if length > start.count { bytes = bytes + (try source.read(length - start.count, of: &file)) }
    guard !bytes.contains(0) else { throw UnusualFileError() }
    add(name, TagText(utf8: bytes))
  }
}

/// Reads native FLAC files (RFC 9639, section 8).
extension FastTags {
  /// The maximum number of metadata blocks.
  private static let blockLimit = 1_000

  private struct BlockContents: SequentialBytes {
    var offset: Int
    var count: Int

    mutating func read(_ wanted: Int, of file: inout TagFile) throws(UnusualFileError) -> ArraySlice<UInt8> {
      guard wanted <= count else { throw UnusualFileError() }
      let bytes = try file.bytes(at: offset, count: wanted)
      try skip(wanted, of: &file)
      return bytes
    }

    mutating func skip(_ wanted: Int, of file: inout TagFile) throws(UnusualFileError) {
      guard wanted <= count else { throw UnusualFileError() }
      offset += wanted
      count -= wanted
    }
  }

  mutating func readFLAC(_ file: inout TagFile) throws(UnusualFileError) {
    guard try file.bytes(at: 0, count: 4).holds("fLaC") else { throw UnusualFileError() }
    var offset = 4
    var isFirst = true
    var isLast = false
    var hasComments = false
    var sheet: BlockContents?
    var blockCount = 0
    while !isLast {
      blockCount += 1
      guard blockCount <= Self.blockLimit else { throw UnusualFileError() }
      let header = try FLACBlockHeader(file.bytes(at: offset, count: 4))
      isLast = header.isLast
      let block = BlockContents(offset: offset + 4, count: header.length)
      // TagLib rejects a file without audio after the last block.
      guard header.kind != nil, isFirst == (header.kind == .streamInformation),
        block.offset < file.length - block.count,
        block.count > 0 || header.kind == .padding || header.kind == .seekTable
      else { throw UnusualFileError() }
      switch header.kind {
      case .streamInformation: try readInformation(block, of: &file)
      case .comments:
        guard !hasComments else { throw UnusualFileError() }
        var source = block
        try readComments(&source, of: &file)
        guard source.count == 0 else { throw UnusualFileError() }
        hasComments = true
      case .cueSheet where sheet == nil: sheet = block
      default: break
      }
      offset = block.offset + block.count
      isFirst = false
    }
    guard hasComments, !values.isEmpty else { throw UnusualFileError() }
    if let sheet, !has("CUESHEET") {
      cueSheet = FLACCueSheet.text(
        of: &file, at: sheet.offset, count: sheet.count, sampleRate: sampleRate, milliseconds: milliseconds)
    }
  }

  /// Reads the comments of a FLAC file, after an ID3v2 tag if there is one.
  mutating func readFLACComments(_ file: inout TagFile) throws(UnusualFileError) {
    var offset = 0
    let head = try file.bytes(at: 0, count: 10)
    if head.holds("ID3") { offset = 10 + head.synchsafe(at: 6) }
    guard try file.bytes(at: offset, count: 4).holds("fLaC") else { throw UnusualFileError() }
    offset += 4
    for _ in 0..<Self.blockLimit {
      let header = try FLACBlockHeader(file.bytes(at: offset, count: 4))
      offset += 4
      if header.kind == .comments {
        var source = BlockContents(offset: offset, count: header.length)
        return try readComments(&source, of: &file)
      }
      guard !header.isLast else { return }
      offset += header.length
    }
  }

  private mutating func readInformation(_ block: BlockContents, of file: inout TagFile) throws(UnusualFileError) {
    guard block.count >= 18 else { throw UnusualFileError() }
    let bytes = try file.bytes(at: block.offset, count: 18)
    let format = bytes.bigEndian32(at: 10)
    sampleRate = format >> 12
    channels = format >> 9 & 7 + 1
    bitDepth = format >> 4 & 31 + 1
    guard sampleRate > 0 else { throw UnusualFileError() }
    let frames = (format & 0xF) << 32 | bytes.bigEndian32(at: 14)
    try setLength(frames: Double(frames), sampleRate: Double(sampleRate))
  }
}

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

  /// Reads the comments of the first stream of an Ogg file: Vorbis, Opus, Speex or FLAC.
  mutating func readOggComments(_ file: inout TagFile) throws(UnusualFileError) {
    let head = try OggPageHeader(at: 0, of: &file)
    let bytes = try file.bytes(at: head.contentsOffset, count: min(head.firstLength, 8))
    // What is before the comments in the second packet.
    let lengths = ["OpusHead": 8, "\u{1}vorbis": 7, "\u{7F}FLAC": 4, "Speex": 0]
    guard let length = lengths.first(where: { bytes.holds($0.key) })?.value else { throw UnusualFileError() }
    var packet = try Packet(at: head.endOffset, of: &file)
    try packet.skip(length, of: &file)
    try readComments(&packet, of: &file)
  }
}
