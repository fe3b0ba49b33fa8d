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
        try Self.addChunk(&file, isLittleEndian: head.holds("R"), to: &hash)
      } else if head.holds("DSD ") {
        // The header states the offset of the tag, which is at the end.
        let tag = try file.bytes(at: 20, count: 8)
        let end = tag.littleEndian32(at: 0) | tag.littleEndian32(at: 4) << 32
        try Self.addSound(
          &file, from: 28, to: end > 28 && end <= file.length ? end : file.length, in: &hash)
      } else if head.starts(with: Self.asfHeader) {
        let length = try file.bytes(at: 16, count: 8)
        let offset = length.littleEndian32(at: 0) | length.littleEndian32(at: 4) << 32
        let data = try file.bytes(at: offset, count: 24)
        let size = data.littleEndian32(at: 16) | data.littleEndian32(at: 20) << 32
        guard size > 50, offset <= file.length - size else { throw UnusualFileError() }
        try Self.addSound(&file, from: offset + 50, to: offset + size, in: &hash)
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
      if bytes.holds("TAG") {
        end -= lengthOfID3v1
      } else if footer.holds("APETAGEX") {
        // The length includes the footer, but not the header.
        let hasHeader = footer.littleEndian32(at: 20) & 1 << 31 != 0
        let length = footer.littleEndian32(at: 12) + (hasHeader ? lengthOfAPEHeader : 0)
        guard length >= lengthOfAPEHeader, length <= end - start else { throw UnusualFileError() }
        end -= length
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
    try addSound(&file, from: start, to: end, in: &hash)
  }

  /// Adds the length of the sound between two offsets, its beginning and its middle.
  private static func addSound(
    _ file: inout TagFile, from start: Int, to end: Int, in hash: inout Hash
  ) throws(UnusualFileError) {
    guard start < end else { throw UnusualFileError() }
    hash.add(end - start)
    let count = min(partLength, end - start)
    for offset in [start, start + (end - start - count) / 2] {
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
        return try addSound(&file, from: offset, to: end, in: &hash)
      }
    }
    throw UnusualFileError()
  }

  /// Adds the contents of the data of a RIFF or IFF file.
  private static func addChunk(
    _ file: inout TagFile, isLittleEndian: Bool, to hash: inout Hash
  ) throws(UnusualFileError) {
    var offset = 12
    for _ in 0..<chunkLimit {
      let header = try file.bytes(at: offset, count: 8)
      let count = isLittleEndian ? header.littleEndian32(at: 4) : header.bigEndian32(at: 4)
      offset += 8
      if header.holds(isLittleEndian ? "data" : "SSND") {
        // A count that is too large stands for the rest of the file.
        return try addSound(&file, from: offset, to: offset + min(count, file.length - offset), in: &hash)
      }
      offset += count + count % 2
    }
    throw UnusualFileError()
  }

  /// Adds the media data of an MP4 file.
  private static func addMP4(_ file: inout TagFile, to hash: inout Hash) throws(UnusualFileError) {
    var offset = 0
    var isFound = false
    for _ in 0..<chunkLimit {
      guard offset < file.length else { break }
      let head = try file.bytes(at: offset, count: 8)
      var (size, headLength) = (head.bigEndian32(at: 0), 8)
      if size == 1 {
        guard let long = Int(exactly: try file.bytes(at: offset + 8, count: 8).bigEndian64(at: 0)) else {
          throw UnusualFileError()
        }
        (size, headLength) = (long, 16)
      } else if size == 0 {
        size = file.length - offset
      }
      guard size >= headLength, size <= file.length - offset else { throw UnusualFileError() }
      if head.holds("mdat", at: 4), size > headLength {
        // A fragmented file has many of them, of which the first is enough with the length of the others.
        if isFound {
          hash.add(size)
        } else {
          try addSound(&file, from: offset + headLength, to: offset + size, in: &hash)
        }
        isFound = true
      }
      offset += size
    }
    guard isFound else { throw UnusualFileError() }
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
