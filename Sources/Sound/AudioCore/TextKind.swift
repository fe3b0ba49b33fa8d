/// Files of text, and of nothing, under the name of sound.
enum TextKind {
  /// The kind of text that `head` begins; `nil` where it is none.
  static func format(of head: [UInt8]) -> AudioFileFormat? {
    if head.count >= 64, head.allSatisfy({ $0 == 0 }) { return .zeros }
    let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    let bytes = head.filter { $0 != 0 || !isWide }.dropFirst(isWide ? 2 : 0)
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) || $0 == 0x1B }) else {
      return nil
    }
    // A character may be cut at the end.
    let text = String(decoding: bytes, as: UTF8.self)
    guard isWide || !text.dropLast().unicodeScalars.contains("\u{FFFD}") else { return nil }
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    return beginnings.first { start.hasPrefix($0.0) }?.1 ?? .text
  }

  private static let beginnings: [(String, AudioFileFormat)] = [
    ("<!doctype html", .webPage), ("<html", .webPage), ("<head", .webPage), ("<?xml", .xml),
    ("#extm3u", .playlist), ("[playlist]", .playlist), ("file \"", .cueSheet), ("rem ", .cueSheet),
    ("performer \"", .cueSheet), ("title \"", .cueSheet), ("catalog ", .cueSheet),
  ]
}
