// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the items of an APE tag at the end of a file that are not UTF-8, as in the tags of old programs, and that
/// TagLib drops (https://wiki.hydrogenaud.io/index.php?title=APEv2_specification).
enum APEItems {
  private static let footerLength = 32
  private static let id3v1Length = 128
  private static let itemLimit = 1_000
  private static let tagLimit = 1 << 20
  private static let keyLimit = 255

  /// TagLib's names for keys that have another one.
  private static let names = [
    "TRACK": "TRACKNUMBER", "YEAR": "DATE", "ALBUM ARTIST": "ALBUMARTIST", "DISC": "DISCNUMBER", "MIXARTIST": "REMIXER",
  ]

  /// Returns the values that are not UTF-8, by TagLib's names for their fields.
  static func undecoded(of file: inout TagFile) -> [(name: String, value: TagText)] {
    var values: [(name: String, value: TagText)] = []
    try? read(&file) { values.append(($0, $1)) }
    return values
  }

  private static func read(_ file: inout TagFile, _ add: (String, TagText) -> Void) throws(UnusualFileError) {
    let tailLength = min(footerLength + id3v1Length, file.length)
    let tail = try file.bytes(at: file.length - tailLength, count: tailLength)
    guard tail.count >= footerLength else { return }
    // An ID3v1 tag may follow. "TAG" does not show that: it is also in the mark of an APE tag of a certain length.
    let isLast = tail.holds("APETAGEX", at: tail.count - footerLength)
    let end = isLast ? tail.count : tail.count - id3v1Length
    guard end >= footerLength else { return }
    let footer = tail.from(end - footerLength)
    guard footer.holds("APETAGEX") else { return }
    let (size, count) = (footer.littleEndian32(at: 12), footer.littleEndian32(at: 16))
    let start = file.length - tail.count + end - size
    guard size >= footerLength, size <= tagLimit, start >= 0 else { return }
    let bytes = try file.longBytes(at: start, count: size - footerLength)[...]
    var index = 0
    for _ in 0..<min(count, itemLimit) where bytes.count - index >= 8 {
      let (length, flags) = (bytes.littleEndian32(at: index), bytes.littleEndian32(at: index + 4))
      index += 8
      let key = bytes.from(index).prefix(keyLimit + 1).prefix { $0 != 0 }
      index += key.count + 1
      guard (1...keyLimit).contains(key.count), key.allSatisfy({ (0x20...0x7E).contains($0) }),
        index <= bytes.count, length <= bytes.count - index
      else { return }
      let value = TagText(utf8: bytes.from(index).prefix(length))
      index += length
      let name = String(decoding: key, as: UTF8.self).uppercased()
      // Other values are binary, or links.
      if flags >> 1 & 3 == 0, value.bytes != nil { add(names[name] ?? name, value) }
    }
  }
}
