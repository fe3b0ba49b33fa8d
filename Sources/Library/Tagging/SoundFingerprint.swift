// SPDX-License-Identifier: GPL-3.0-or-later

/// A number that identifies the sound in a file, whatever its name and tags are. Nothing is decoded for it.
///
/// It is a hash of the MD5 that a FLAC file states of its samples or, for other formats, of the length of the encoded
/// sound and of a few parts of it. It stays the same when tags and pictures are added, changed and removed, and when a
/// file is copied.
package struct SoundFingerprint: Sendable, Hashable {
  /// The number; never 0.
  package let value: Int64

  package init?(_ value: Int64) {
    guard value != 0 else { return nil }
    self.value = value
  }

  /// The number of bytes in each part of the sound that is hashed.
  private static let partLength = 1024
  /// The offsets of the parts if the end of the sound is not certain.
  private static let partOffsets = [0, 2 * 1024, 64 * 1024]
  private static let chunkLimit = 1_000

  /// Reads the fingerprint of `file`. Returns `nil` if the place of the sound in it is not known.
  init?(of file: inout TagFile) {
    var hash = Hash()
    do throws(UnusualFileError) {
      let start = try Self.endOfID3v2(in: &file)
      let head = try file.bytes(at: start, count: 12)
      if head.holds("fLaC") {
        try Self.addFLAC(&file, at: start, to: &hash)
      } else if head.holds("OggS") {
        try Self.addOgg(&file, at: start, to: &hash)
      } else if head.holds("ftyp", at: 4) {
        try Self.addMP4(&file, to: &hash)
      } else if head.holds("RIFF") || head.holds("RF64") || head.holds("FORM") {
        let isRIFF = head.holds("R")
        let chunk = try file.chunk(isRIFF ? "data" : "SSND", isBigEndian: !isRIFF)
        try Self.addSound(&file, chunk, to: &hash)
      } else if head.holds("DSD ") {
        // The header states the offset of the tag, which is at the end.
        let tag = Int(exactly: try file.bytes(at: 20, count: 8).littleEndian64(at: 0)) ?? 0
        guard file.length > 28 else { throw UnusualFileError() }
        try Self.addSound(&file, 28..<(29...file.length ~= tag ? tag : file.length), to: &hash)
      } else if head.holds("FRM8") {
        try Self.addDSDIFF(&file, to: &hash)
      } else if head.starts(with: Self.matroskaHeader) {
        try Self.addMatroska(&file, to: &hash)
      } else if head.starts(with: Self.asfHeader) {
        guard let offset = Int(exactly: try file.bytes(at: 16, count: 8).littleEndian64(at: 0)),
          let size = Int(exactly: try file.bytes(at: offset, count: 24).littleEndian64(at: 16)),
          size > 50, offset <= file.length - size
        else { throw UnusualFileError() }
        try Self.addSound(&file, offset + 50..<offset + size, to: &hash)
      } else if ["MAC ", "wvpk", "MPCK", "MP+", "TTA1", "tBaK", "OFR "].contains(where: { head.holds($0) }) {
        try Self.addBeginning(&file, at: start, to: &hash)
      } else if head.byte(0) == 0xFF, head.byte(1) & 0xE0 == 0xE0 {
        try Self.addMPEG(&file, at: start, to: &hash)
      } else {
        return nil
      }
    } catch {
      return nil
    }
    value = hash.value == 0 ? 1 : hash.value
  }

  private static let asfHeader: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]

  private static let matroskaHeader: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  /// Returns the end of the ID3v2 tags at the beginning of a file, and of the zeros behind them.
  private static func endOfID3v2(in file: inout TagFile) throws(UnusualFileError) -> Int {
    let tagLimit = 8
    var offset = 0
    for _ in 0..<tagLimit {
      guard let head = try? file.bytes(at: offset, count: 10), head.holds("ID3") else { break }
      offset += head.synchsafe(at: 6) + (head.byte(5) & 0x10 == 0 ? 10 : 20)
    }
    // A tagger may leave zeros between a tag that it shortened and the sound.
    let paddingLimit = 64
    for _ in 0..<(offset > 0 ? paddingLimit : 0) {
      let bytes = try file.bytes(at: offset, count: min(partLength, max(1, file.length - offset)))
      guard let index = bytes.firstIndex(where: { $0 != 0 }) else {
        offset += bytes.count
        continue
      }
      return offset + index - bytes.startIndex
    }
    return offset
  }

  /// Returns the start of the ID3v1 and APE tags at the end of a file.
  private static func startOfTagsAtEnd(of file: inout TagFile, after start: Int) throws(UnusualFileError) -> Int {
    let (lengthOfID3v1, lengthOfAPEHeader, tagLimit) = (128, 32, 4)
    var end = file.length
    for _ in 0..<tagLimit where end - start >= lengthOfID3v1 {
      let bytes = try file.bytes(at: end - lengthOfID3v1, count: lengthOfID3v1)
      let footer = bytes.suffix(lengthOfAPEHeader)
      // "TAG" may also be part of an APE tag's mark.
      if footer.holds("APETAGEX") {
        // The length includes the footer, but not the header.
        let hasHeader = footer.littleEndian32(at: 20) & 1 << 31 != 0
        let length = footer.littleEndian32(at: 12) + (hasHeader ? lengthOfAPEHeader : 0)
        guard length >= lengthOfAPEHeader, length <= end - start else { throw UnusualFileError() }
        end -= length
      } else if bytes.holds("TAG") {
        end -= lengthOfID3v1
      } else {
        break
      }
    }
    return end
  }

  /// Adds parts of the sound that begins at `start`, and whose beginning states its length. Tags may follow it.
  private static func addBeginning(_ file: inout TagFile, at start: Int, to hash: inout Hash) throws(UnusualFileError) {
    for offset in partOffsets where offset == 0 || file.length - start >= offset + 2 * partLength {
      hash.add(try file.bytes(at: start + offset, count: min(partLength, file.length - start - offset)))
    }
  }

  /// Adds MPEG audio, or ADTS.
  private static func addMPEG(_ file: inout TagFile, at start: Int, to hash: inout Hash) throws(UnusualFileError) {
    let head = try file.bytes(at: start, count: min(partLength, file.length - start))
    if let frame = MPEGFrame(head), MPEGFrame.XingHeader(head.prefix(frame.length)) != nil {
      return try addBeginning(&file, at: start, to: &hash)
    }
    let end = try startOfTagsAtEnd(of: &file, after: start)
    try addSound(&file, start..<max(start, end), to: &hash)
  }

  /// Adds the length of the sound in a range of the file, its beginning and its middle.
  private static func addSound(
    _ file: inout TagFile, _ range: Range<Int>, to hash: inout Hash
  ) throws(UnusualFileError) {
    guard !range.isEmpty else { throw UnusualFileError() }
    hash.add(range.count)
    let count = min(partLength, range.count)
    for offset in [range.lowerBound, range.lowerBound + (range.count - count) / 2] {
      hash.add(try file.bytes(at: offset, count: count))
    }
  }

  /// Adds what a FLAC file states of its samples or, if it does not state their MD5, its encoded sound.
  private static func addFLAC(_ file: inout TagFile, at start: Int, to hash: inout Hash) throws(UnusualFileError) {
    let information = try file.bytes(at: start + 8, count: 34)
    let (sampleInformation, sum) = (information.from(10).prefix(8), information.from(18))
    if sum.contains(where: { $0 != 0 }) {
      hash.add(sampleInformation)
      return hash.add(sum)
    }
    var offset = start + 4
    for _ in 0..<chunkLimit {
      let header = try FLACBlockHeader(file.bytes(at: offset, count: 4))
      offset += 4 + header.length
      if header.isLast {
        let end = try startOfTagsAtEnd(of: &file, after: offset)
        return try addSound(&file, offset..<max(offset, end), to: &hash)
      }
    }
    throw UnusualFileError()
  }

  /// Adds the media data of an MP4 file.
  private static func addMP4(_ file: inout TagFile, to hash: inout Hash) throws(UnusualFileError) {
    var isFound = false
    for box in MP4Items.boxes(of: &file, 0..<file.length) where box.isNamed("mdat") && box.start < box.end {
      // A fragmented file has many of them, of which the first is enough with the length of the others.
      if isFound { hash.add(box.end - box.start) } else { try addSound(&file, box.start..<box.end, to: &hash) }
      isFound = true
    }
    guard isFound else { throw UnusualFileError() }
  }

  /// Adds the sound of a DFF file, which is one chunk, compressed or not.
  private static func addDSDIFF(_ file: inout TagFile, to hash: inout Hash) throws(UnusualFileError) {
    var offset = 16
    for _ in 0..<chunkLimit {
      let header = try file.bytes(at: offset, count: 12)
      offset += 12
      let size = min(header.bigEndian64(at: 4), UInt64(file.length - offset))
      let end = offset + Int(size)
      if header.holds("DSD ") || header.holds("DST ") { return try addSound(&file, offset..<end, to: &hash) }
      offset = end + end % 2
    }
    throw UnusualFileError()
  }

  /// Adds the duration of the sound in a Matroska file, and parts of its blocks.
  private static func addMatroska(_ file: inout TagFile, to hash: inout Hash) throws(UnusualFileError) {
    let sound = try MatroskaSound(of: &file, partsAt: partOffsets, length: partLength)
    // Without a length, two recordings with silence at the beginning would be the same.
    guard !sound.parts.isEmpty, let length = sound.duration ?? (sound.isComplete ? [] : nil) else {
      throw UnusualFileError()
    }
    hash.add(length)
    hash.add(sound.byteCount)
    for part in sound.parts { hash.add(part) }
  }

  /// Adds the sound of an Ogg file: the length of all pages with sound, and the contents of the first and of the last,
  /// without their numbers, which taggers change.
  private static func addOgg(_ file: inout TagFile, at start: Int, to hash: inout Hash) throws(UnusualFileError) {
    var page = try OggPageHeader(at: start, of: &file)
    for _ in 0..<chunkLimit where page.position <= 0 { page = try OggPageHeader(at: page.endOffset, of: &file) }
    let offset = page.contentsOffset
    try add(page, of: &file, to: &hash)
    hash.add(file.length - offset)
    try add(OggPageHeader(lastOf: &file), of: &file, to: &hash)
  }

  private static func add(
    _ page: OggPageHeader, of file: inout TagFile, to hash: inout Hash
  ) throws(UnusualFileError) {
    hash.add(page.position)
    let end = min(page.endOffset, file.length)
    guard page.contentsOffset <= end else { throw UnusualFileError() }
    hash.add(try file.bytes(at: page.contentsOffset, count: min(partLength, end - page.contentsOffset)))
  }
}

/// A hash that is the same on all machines, and in all versions of Segue, because it is stored.
private struct Hash {
  private var state: UInt64 = 0x5345_4755_4553_4E44

  var value: Int64 { Int64(bitPattern: state) }

  mutating func add(_ number: Int) { mix(UInt64(bitPattern: Int64(number))) }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    add(bytes.count)
    unsafe bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        mix(UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      while offset < bytes.count {
        mix(UInt64(unsafe bytes[offset]))
        offset += 1
      }
    }
  }

  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }
}
