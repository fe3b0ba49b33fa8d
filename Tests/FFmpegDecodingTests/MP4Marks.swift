// SPDX-License-Identifier: GPL-3.0-or-later

/// Changes how an MP4 file marks its beginning and end. The index has to be the last box of the file, as ffmpeg writes
/// it.
enum MP4Marks {
  /// Returns `file` with the numbers that iTunes stores for gapless playback.
  static func withITunesNumbers(_ file: [UInt8], delay: Int, padding: Int, count: Int) -> [UInt8] {
    let text =
      " 00000000 \(hex(delay, 8)) \(hex(padding, 8)) \(hex(count, 16))" + String(repeating: " 00000000", count: 8)
    let entry = box(
      "----",
      box("mean", [0, 0, 0, 0] + "com.apple.iTunes".utf8) + box("name", [0, 0, 0, 0] + "iTunSMPB".utf8)
        + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + text.utf8))
    let handler = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + "mdirappl".utf8 + [UInt8](repeating: 0, count: 9))
    let tags = box("udta", box("meta", [0, 0, 0, 0] + handler + box("ilst", entry)))
    guard let start = offset(of: "moov", in: file) else { return file }
    var file = file
    let size = file.count - start + tags.count
    file.replaceSubrange(start..<(start + 4), with: big(size))
    return file + tags
  }

  /// Returns `file` with this duration in its edit list, in units of the index.
  static func withEditDuration(_ file: [UInt8], _ duration: Int) -> [UInt8] {
    guard let start = offset(of: "elst", in: file) else { return file }
    var file = file
    file.replaceSubrange((start + 16)..<(start + 20), with: big(duration))
    return file
  }

  /// Returns `file` with this name of its encoder, or without one. The name is cut or filled to the length of the old
  /// one.
  static func withEncoder(_ file: [UInt8], _ name: String?) -> [UInt8] {
    guard let start = file.ranges(of: [0xA9] + "too".utf8).last?.lowerBound else { return file }
    var file = file
    guard let name else {
      file.replaceSubrange(start..<(start + 4), with: "none".utf8)
      return file
    }
    // The header of the box of data, its type and its language.
    let text = start + 20
    let end = start + 4 + file[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
    let bytes = Array(name.utf8) + [UInt8](repeating: 0x20, count: end - text)
    file.replaceSubrange(text..<end, with: bytes.prefix(end - text))
    return file
  }

  /// Returns `file`, whose AAC is of 22,050 Hz, with the statement that it is HE-AAC, which decodes to 44,100 Hz
  /// (ISO/IEC 14496-3, section 1.6.2.1).
  static func asHEAAC(_ file: [UInt8]) -> [UInt8] {
    // The descriptor of a configuration of five bytes: the object type AAC-LC, 22,050 Hz, two channels, and an
    // extension that denies HE-AAC.
    let plain: [UInt8] = [0x13, 0x90, 0x56, 0xE5, 0x00]
    guard let start = file.firstRange(of: plain)?.lowerBound else { return file }
    var file = file
    // The object type SBR, 22,050 Hz, two channels, 44,100 Hz, AAC-LC.
    file.replaceSubrange(start..<(start + 5), with: [0x2B, 0x92, 0x08, 0x00, 0x00])
    return file
  }

  private static func offset(of name: String, in file: [UInt8]) -> Int? {
    file.ranges(of: Array(name.utf8)).last.map { $0.lowerBound - 4 }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8) + name.utf8 + content
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func hex(_ value: Int, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
