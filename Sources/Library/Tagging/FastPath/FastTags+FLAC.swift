// SPDX-License-Identifier: GPL-3.0-or-later

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
