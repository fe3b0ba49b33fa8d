// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads ID3v2.3 and ID3v2.4 tags (https://id3.org/id3v2.3.0, https://id3.org/id3v2.4.0-structure).
extension FastTags {
  private static let headerLength = 10
  private static let frameLimit = 16 * 1024

  private static let valueLimit = 1_000

  /// The frames from which no value is read.
  private static let ignoredFrames: Set<String> = ["APIC", "GEOB", "MCDI", "PCNT", "PRIV"]

  /// The text frames, with TagLib's names for them.
  private static let texts = [
    "TALB": "ALBUM", "TBPM": "BPM", "TCMP": "COMPILATION", "TCOM": "COMPOSER", "TCON": "GENRE", "TCOP": "COPYRIGHT",
    "TDOR": "ORIGINALDATE", "TDRC": "DATE", "TDRL": "RELEASEDATE", "TENC": "ENCODEDBY", "TEXT": "LYRICIST",
    "TIT2": "TITLE", "TIT3": "SUBTITLE", "TKEY": "INITIALKEY", "TLAN": "LANGUAGE", "TLEN": "LENGTH", "TMED": "MEDIA",
    "TMOO": "MOOD", "TOAL": "ORIGINALALBUM", "TOPE": "ORIGINALARTIST", "TPE1": "ARTIST", "TPE2": "ALBUMARTIST",
    "TPE3": "CONDUCTOR", "TPE4": "REMIXER", "TPOS": "DISCNUMBER", "TPUB": "LABEL", "TRCK": "TRACKNUMBER",
    "TSO2": "ALBUMARTISTSORT", "TSOA": "ALBUMSORT", "TSOC": "COMPOSERSORT", "TSOP": "ARTISTSORT", "TSOT": "TITLESORT",
    "TSRC": "ISRC", "TSSE": "ENCODING",
  ]

  /// The descriptions of user-defined text frames for which TagLib uses a different name.
  private static let descriptions = [
    "MUSICBRAINZ ALBUM ID": "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ ARTIST ID": "MUSICBRAINZ_ARTISTID",
    "MUSICBRAINZ ALBUM ARTIST ID": "MUSICBRAINZ_ALBUMARTISTID",
    "MUSICBRAINZ ALBUM RELEASE COUNTRY": "RELEASECOUNTRY", "MUSICBRAINZ ALBUM STATUS": "RELEASESTATUS",
    "MUSICBRAINZ ALBUM TYPE": "RELEASETYPE", "MUSICBRAINZ RELEASE GROUP ID": "MUSICBRAINZ_RELEASEGROUPID",
    "MUSICBRAINZ RELEASE TRACK ID": "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ WORK ID": "MUSICBRAINZ_WORKID",
    "ACOUSTID ID": "ACOUSTID_ID", "ACOUSTID FINGERPRINT": "ACOUSTID_FINGERPRINT", "MUSICIP PUID": "MUSICIP_PUID",
  ]

  /// Adds the values of the tag at `offset`. Throws if there are none, because other tags may then be used.
  ///
  /// - Returns: The length of the whole tag, in bytes.
  mutating func readID3v2(of file: inout TagFile, at offset: Int) throws(UnusualFileError) -> Int {
    let header = try file.bytes(at: offset, count: Self.headerLength)
    let version = Int(header.byte(3))
    guard header.holds("ID3"), version == 3 || version == 4, header.byte(5) == 0, header.isSynchsafe(at: 6) else {
      throw UnusualFileError()
    }
    let length = Self.headerLength + header.synchsafe(at: 6)
    let end = offset + length
    guard end <= file.length, length > 2 * Self.headerLength else { throw UnusualFileError() }
    var position = offset + Self.headerLength
    var popularity: UInt8 = 0
    while position < end - Self.headerLength {
      let header = try file.bytes(at: position, count: Self.headerLength)
      // The rest is filled with zeros.
      if header.byte(0) == 0 { break }
      let plainSize = header.bigEndian32(at: 4)
      let size = version == 4 ? header.synchsafe(at: 4) : plainSize
      guard Self.isFrameID(header), header.byte(9) == 0, version == 3 || header.isSynchsafe(at: 4), size > 0,
        size <= end - position - Self.headerLength
      else { throw UnusualFileError() }
      if version == 4 {
        guard !Self.isAmbiguous(&file, at: position, end: end, size: size, plainSize: plainSize) else {
          throw UnusualFileError()
        }
      }
      let id = String(decoding: header.prefix(4), as: UTF8.self)
      position += Self.headerLength
      if id == "POPM" {
        guard size <= Self.frameLimit else { throw UnusualFileError() }
        popularity = max(popularity, try Self.popularity(file.bytes(at: position, count: size)))
      } else if !Self.ignoredFrames.contains(id) {
        guard size <= Self.frameLimit else { throw UnusualFileError() }
        try readFrame(id, version: version, file.bytes(at: position, count: size))
      }
      position += size
      guard values.count <= Self.valueLimit else { throw UnusualFileError() }
    }
    guard !values.isEmpty else { throw UnusualFileError() }
    sort()
    if popularity > 0 { add("POPM", TagText("\(popularity)")) }
    return length
  }

  /// Returns the rating in a frame of an address, the rating and a counter; 0 if there is none.
  private static func popularity(_ frame: ArraySlice<UInt8>) throws(UnusualFileError) -> UInt8 {
    guard let end = frame.firstIndex(of: 0) else { throw UnusualFileError() }
    return frame[end...].dropFirst().first ?? 0
  }

  private static func isFrameID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.prefix(4).allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
  }

  /// Whether TagLib would read the size of a version 4 frame as that of a version 3 frame, which some programs write.
  private static func isAmbiguous(
    _ file: inout TagFile, at frame: Int, end: Int, size: Int, plainSize: Int
  ) -> Bool {
    func isFrameFollowing(_ size: Int, _ file: inout TagFile) -> Bool {
      let next = frame + headerLength + size
      guard next <= end - 4, let bytes = try? file.bytes(at: next, count: 4) else { return false }
      return isFrameID(bytes)
    }
    return size > 127 && !isFrameFollowing(size, &file) && isFrameFollowing(plainSize, &file)
  }

  private mutating func readFrame(_ id: String, version: Int, _ bytes: ArraySlice<UInt8>) throws(UnusualFileError) {
    if id == "UFID" { return try readIdentifier(bytes) }
    guard id.hasPrefix("T"), bytes.count >= 2 else { throw UnusualFileError() }
    let texts = try ID3v2Texts.read(bytes)
    if bytes.byte(0) == 3, texts.contains(where: { $0.bytes != nil }) { hasInvalidText = true }
    if id == "TXXX" { return try readDescribed(texts) }
    let current = version == 3 && id == "TYER" ? "TDRC" : version == 3 && id == "TORY" ? "TDOR" : id
    guard let name = Self.texts[current], texts.allSatisfy({ Self.isUnchanged($0.text, name) }) else {
      throw UnusualFileError()
    }
    for text in texts { add(name, text) }
  }

  /// Reads a user-defined text frame: a description and its strings.
  private mutating func readDescribed(_ texts: [TagText]) throws(UnusualFileError) {
    guard let description = texts.first?.text, description.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw UnusualFileError()
    }
    let name = description.uppercased()
    for text in texts.dropFirst() { add(Self.descriptions[name] ?? name, text) }
  }

  /// Whether TagLib returns a string unchanged. It replaces numbers and parentheses that stand for genres, and
  /// truncates times to dates.
  private static func isUnchanged(_ text: String, _ name: String) -> Bool {
    switch name {
    // Unchanged if the string begins with a letter, or with a character that is not ASCII.
    case "GENRE": text.utf8.first.map { $0 >= 0x80 || (0x41...0x5A).contains($0 & 0xDF) } ?? false
    case "DATE": !text.utf8.contains(UInt8(ascii: "T"))
    default: true
    }
  }

  /// Reads the MusicBrainz identifier of the track. Identifiers of other owners are ignored.
  private mutating func readIdentifier(_ bytes: ArraySlice<UInt8>) throws(UnusualFileError) {
    guard bytes.contains(0) else { throw UnusualFileError() }
    let owner = "http://musicbrainz.org\0"
    guard bytes.holds(owner) else { return }
    let identifier = bytes.from(owner.utf8.count)
    guard identifier.allSatisfy({ (0x20..<0x7F).contains($0) }) else { throw UnusualFileError() }
    add("MUSICBRAINZ_TRACKID", TagText(String(decoding: identifier, as: UTF8.self)))
  }
}

/// Decodes the strings of an ID3v2 text frame, which are separated by NULs (ID3v2.4.0, section 4).
enum ID3v2Texts {
  private static let limit = 64

  /// Returns the strings after the byte that gives their encoding. Trailing NULs are ignored.
  ///
  /// - Throws: ``UnusualFileError`` if there is no string, an empty one, too many, or one that is not valid UTF-16.
  static func read(_ bytes: ArraySlice<UInt8>) throws(UnusualFileError) -> [TagText] {
    let text = bytes.dropFirst()
    let texts: [TagText]? =
      switch bytes.byte(0) {
      // Programs state Latin-1 for any encoding.
      case 0: split(text).map { $0.map { TagText(undecoded: $0) } }
      case 1: split(units(of: text)).flatMap { utf16WithMark($0) }
      case 2: split(units(of: text)).flatMap { all($0) { String(validating: $0, as: UTF16.self) } }
      case 3: split(text).map { $0.map { TagText(utf8: $0) } }
      default: nil
      }
    guard let texts else { throw UnusualFileError() }
    return texts
  }

  /// Splits units at zeros. Returns `nil` if a part is empty, or if there are too many.
  private static func split<Unit: BinaryInteger>(_ units: ArraySlice<Unit>?) -> [ArraySlice<Unit>]? {
    guard let units, let last = units.lastIndex(where: { $0 != 0 }) else { return nil }
    let parts = units[...last].split(separator: 0, omittingEmptySubsequences: false)
    return parts.count <= limit && parts.allSatisfy { !$0.isEmpty } ? parts : nil
  }

  private static func all<Part>(_ parts: [Part], _ text: (Part) -> String?) -> [TagText]? {
    let texts = parts.compactMap { text($0).map { TagText($0) } }
    return texts.count == parts.count ? texts : nil
  }

  /// Returns the bytes as 16-bit big-endian units, or `nil` if their number is odd.
  private static func units(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt16>? {
    guard bytes.count % 2 == 0 else { return nil }
    return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes.byte($0)) << 8 | UInt16(bytes.byte($0 + 1)) }[...]
  }

  /// Decodes UTF-16 strings, the first of which must begin with a byte order mark. A string without a mark has the byte
  /// order of the first string.
  private static func utf16WithMark(_ parts: [ArraySlice<UInt16>]) -> [TagText]? {
    let isMark = { (unit: UInt16?) in unit == 0xFEFF || unit == 0xFFFE }
    guard let firstMark = parts.first?.first, isMark(firstMark) else { return nil }
    return all(parts) { part in
      let mark = isMark(part.first) ? part.first : nil
      let units = mark == nil ? part : part.dropFirst()
      let isLittleEndian = (mark ?? firstMark) == 0xFFFE
      return units.isEmpty
        ? nil : String(validating: units.map { isLittleEndian ? $0.byteSwapped : $0 }, as: UTF16.self)
    }
  }
}

/// Reads MPEG audio of layer III, after an ID3v2 tag if there is one.
extension FastTags {
  mutating func readMPEG(_ file: inout TagFile) throws(UnusualFileError) {
    var start = 0
    if try file.bytes(at: 0, count: 3).holds("ID3") { start = try readID3v2(of: &file, at: 0) }
    let head = try file.bytes(at: start, count: 4)
    guard let frame = MPEGFrame(head) else { throw UnusualFileError() }
    let bytes = try file.bytes(at: start, count: frame.length + 4)
    guard MPEGFrame.areOfOneStream(head, bytes.from(frame.length)),
      let xing = MPEGFrame.XingHeader(bytes.prefix(frame.length)),
      !xing.isContinued(&file, at: start), !MPEGFrame.isBelied(bytes, in: file, at: start)
    else { throw UnusualFileError() }
    let length = Double(frame.samples) * 1000 / Double(frame.sampleRate) * Double(xing.frames) + 0.5
    guard length < 2e9 else { throw UnusualFileError() }
    milliseconds = Int(length)
    sampleRate = frame.sampleRate
    channels = frame.channels
    guard try !hasTagAtEnd(of: &file, isOnlyTag: start == 0) else { throw UnusualFileError() }
  }

  /// Whether the file ends with an APE tag, or with an ID3v1 tag that is used because there is no other tag.
  private func hasTagAtEnd(of file: inout TagFile, isOnlyTag: Bool) throws(UnusualFileError) -> Bool {
    let tailLength = 160
    let bytes = try file.bytes(at: file.length - tailLength, count: tailLength)
    return bytes.holds("APETAGEX") || bytes.holds("APETAGEX", at: tailLength - 32)
      || isOnlyTag && bytes.holds("TAG", at: tailLength - 128)
  }
}
