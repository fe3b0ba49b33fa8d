// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads WAV files (Multimedia Programming Interface and Data Specifications 1.0) with an ID3v2 tag. Files that have
/// only an INFO list are left to TagLib, which reads these lists in its own way.
extension FastTags {
  private struct Format {
    let channels: Int
    let sampleRate: Int
    let bits: Int

    /// Creates the format from the contents of a `fmt ` chunk.
    init(_ bytes: ArraySlice<UInt8>) throws(UnusualFileError) {
      var kind = bytes.littleEndian16(at: 0)
      if kind == 0xFFFE {
        guard bytes.count == 40 else { throw UnusualFileError() }
        kind = bytes.littleEndian16(at: 24)
      }
      channels = bytes.littleEndian16(at: 2)
      sampleRate = bytes.littleEndian32(at: 4)
      bits = bytes.littleEndian16(at: 14)
      guard kind == 1, (1..<1_000).contains(channels), (1...64).contains(bits),
        (1..<1_000_000_000).contains(sampleRate),
        bytes.littleEndian16(at: 12) == channels * ((bits + 7) / 8),
        bytes.littleEndian32(at: 8) == sampleRate * channels * ((bits + 7) / 8)
      else { throw UnusualFileError() }
    }
  }

  private static let chunkLimit = 1_000
  private static let ignoredChunks: Set<String> = ["fact", "bext", "JUNK", "cue ", "PEAK", "smpl"]

  mutating func readWAV(_ file: inout TagFile) throws(UnusualFileError) {
    let head = try file.bytes(at: 0, count: 12)
    guard head.holds("RIFF"), head.holds("WAVE", at: 8) else { throw UnusualFileError() }
    var format: Format?
    var infoList: (offset: Int, count: Int)?
    var soundLength = 0
    var hasTag = false
    var offset = 12
    var chunkCount = 0
    while offset + 8 <= file.length {
      chunkCount += 1
      guard chunkCount <= Self.chunkLimit else { throw UnusualFileError() }
      let header = try file.bytes(at: offset, count: 8)
      let name = String(decoding: header.prefix(4), as: UTF8.self)
      let count = header.littleEndian32(at: 4)
      offset += 8
      guard offset <= file.length - count else { throw UnusualFileError() }
      var next = offset + count
      if next % 2 == 1, next < file.length {
        guard try file.bytes(at: next, count: 1).byte(0) == 0 else { throw UnusualFileError() }
        next += 1
      }
      switch name {
      case "fmt ":
        guard format == nil, (16...64).contains(count) else { throw UnusualFileError() }
        format = try Format(file.bytes(at: offset, count: count))
      case "data":
        guard soundLength == 0 else { throw UnusualFileError() }
        soundLength = next - offset
      case "id3 ", "ID3 ":
        guard !hasTag, try readID3v2(of: &file, at: offset) <= count, !hasInvalidText else { throw UnusualFileError() }
        hasTag = true
      case "LIST":
        guard count >= 4 else { throw UnusualFileError() }
        if try file.bytes(at: offset, count: 4).holds("INFO") {
          guard infoList == nil else { throw UnusualFileError() }
          infoList = (offset, count)
        }
      default:
        guard Self.ignoredChunks.contains(name) else { throw UnusualFileError() }
      }
      offset = next
    }
    guard hasTag, let format, soundLength > 0, soundLength <= UInt32.max else { throw UnusualFileError() }
    if let infoList, try addsFields(file.bytes(at: infoList.offset, count: infoList.count)) {
      throw UnusualFileError()
    }
    let frames = soundLength / (format.channels * ((format.bits + 7) / 8))
    guard frames > 0 else { throw UnusualFileError() }
    sampleRate = format.sampleRate
    channels = format.channels
    bitDepth = format.bits
    try setLength(frames: Double(frames), sampleRate: Double(sampleRate))
  }

  /// The fields of INFO lists that TagLib adds to those of the tag, with TagLib's names.
  private static let infoFields = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ITRK": "TRACKNUMBER", "IPRT": "TRACKNUMBER", "ICRD": "DATE",
    "IGNR": "GENRE", "IMUS": "COMPOSER",
  ]

  /// Whether an INFO list has a field that the tag lacks.
  private func addsFields(_ list: ArraySlice<UInt8>) -> Bool {
    let missing = Self.infoFields.filter { !has($0.value) }
    var index = 4
    while index + 8 <= list.count {
      if missing[String(decoding: list.from(index).prefix(4), as: UTF8.self)] != nil { return true }
      let count = list.littleEndian32(at: index + 4)
      guard count <= list.count - index - 8 else { break }
      index += 8 + count + count % 2
    }
    return false
  }
}
