// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing

/// Recognises audio files by the bytes of their names, and caches the suffixes that it has seen.
struct AudioSuffixes {
  private static let longest = 8

  private var known: [UInt64: Bool] = [:]

  /// Whether the name is that of a cue sheet.
  static func isSheet(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    // A name whose only full stop is its first character has no suffix.
    name.count > 4
      && name.suffix(4).elementsEqual(".cue".utf8) { $0 | ($1 == UInt8(ascii: ".") ? 0 : 0x20) == $1 }
  }

  /// Whether the name has the suffix of an audio format, even of one that cannot be played.
  mutating func isAudio(_ name: UnsafeRawBufferPointer) -> Bool {
    var suffix: UInt64 = 0
    var count = 0
    while count < name.count - 1 {
      let byte = unsafe name[name.count - 1 - count]
      if byte == UInt8(ascii: ".") { break }
      count += 1
      if count > Self.longest { return false }
      suffix = suffix << 8 | UInt64(byte)
    }
    // A name whose only full stop is its first character has no suffix.
    guard count > 0, count < name.count - 1 else { return false }
    if let isAudio = known[suffix] { return isAudio }
    let text = unsafe String(decoding: name.suffix(count), as: UTF8.self)
    let isAudio = AudioFileFormat(suffix: text) != nil
    if known.count < 1_000 { known[suffix] = isAudio }
    return isAudio
  }
}
