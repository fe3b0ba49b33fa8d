// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

struct LegacyTextTests {
  /// Texts in Shift-JIS: 夜に駆ける, 椎名林檎, ソ表 (whose second bytes are backslashes), ｶﾗｵｹ.
  private static let japanese: [(bytes: [UInt8], text: String)] = [
    ([0x96, 0xE9, 0x82, 0xC9, 0x8B, 0xEC, 0x82, 0xAF, 0x82, 0xE9], "夜に駆ける"),
    ([0x92, 0xC5, 0x96, 0xBC, 0x97, 0xD1, 0x8C, 0xE7], "椎名林檎"),
    ([0x83, 0x5C, 0x95, 0x5C], "ソ表"),
    ([0xB6, 0xD7, 0xB5, 0xB9], "ｶﾗｵｹ"),
    ([0x93, 0x8C, 0x8B, 0x9E, 0x8E, 0x96, 0x95, 0xCF], "東京事変"),
  ]

  @Test func `Valid UTF-8 is detected, with and without a byte order mark`() {
    #expect(LegacyText.decode(Array("Björk 夜".utf8)) == "Björk 夜")
    #expect(LegacyText.decode([0xEF, 0xBB, 0xBF] + Array("Björk".utf8)) == "Björk")
    #expect(LegacyText.decode([UInt8]()) == "")
    #expect(LegacyText.encoding(of: "plain".utf8) == .utf8)
  }

  @Test func `A byte order mark of UTF-8 decides, whatever follows`() {
    #expect(LegacyText.decode([0xEF, 0xBB, 0xBF, 0x61, 0xFF]) == "a\u{FFFD}")
  }

  @Test(arguments: [true, false])
  func `UTF-16 with a byte order mark is decoded, even with half a unit and half a pair at its end`(isLittle: Bool) {
    let units: [UInt16] = [0xFEFF, 0x42, 0x591C, 0xD83C, 0xDFB5, 0xD83C]
    var bytes = units.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isLittle ? [low, high] : [high, low]
    }
    #expect(LegacyText.decode(bytes) == "B夜🎵\u{FFFD}")
    bytes.append(0x41)
    #expect(LegacyText.decode(bytes) == "B夜🎵\u{FFFD}\u{FFFD}")
    #expect(LegacyText.decode(bytes.prefix(2)) == "")
    #expect(LegacyText.decode(bytes.prefix(3)) == "\u{FFFD}")
  }

  private static let wide: [LegacyText.Encoding] = [
    .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
  ]

  @Test(arguments: wide)
  func `UTF-16 and UTF-32 are decoded with and without a byte order mark`(encoding: LegacyText.Encoding) throws {
    for text in ["ab", "TITLE \"Übergänge\"\r\n", "[00:12.00]夜に駆ける🎵\n", "#EXTM3U\n音楽/歌手/曲.mp3\n", "一二 a\n", "Кино\n"] {
      let bytes = try #require(LegacyText.encode(text, as: encoding))
      for marked in [bytes, encoding.byteOrderMark + bytes] {
        #expect(LegacyText.encoding(of: marked) == encoding, "\(text)")
        #expect(LegacyText.encoding(of: marked, assuming: .other(.shiftJIS)) == encoding)
        #expect(LegacyText.decode(marked) == text && !LegacyText.isBinary(marked))
        #expect(LegacyText.decode(marked + [0x41]) == text + "\u{FFFD}")
      }
    }
    #expect(LegacyText.decode(encoding.byteOrderMark) == "")
  }

  @Test func `Invalid UTF-32 becomes replacement characters`() {
    #expect(LegacyText.decode([0xFF, 0xFE, 0, 0, 0, 0xD8, 0, 0, 0x61, 0, 0, 0, 0, 0, 0x11, 0]) == "\u{FFFD}a\u{FFFD}")
    #expect(LegacyText.decode([0, 0, 0xFE, 0xFF, 0xFF, 0, 0, 0, 0]) == "\u{FFFD}\u{FFFD}")
  }

  @Test func `Bytes with NULs that are no UTF-16 or UTF-32 are binary`() {
    let binary: [[UInt8]] = [
      [0], [0, 0, 0, 0], [0x61, 0], [0, 0x61], Array("Rock\0Pop".utf8), Array("One\0Two\0Three\0".utf8),
      Array("a\0b\n".utf8),
      [0x61, 0, 0x62, 0, 0, 0], [0x61, 0, 0, 0xD8, 0x62, 0, 0x63, 0], [0x61, 0, 0x01, 0, 0x62, 0],
      Array("fLaC\0\0\0\u{22}".utf8), [0, 0, 0, 0x61, 0, 0, 0, 0x01],
    ]
    for bytes in binary { #expect(LegacyText.isBinary(bytes), "\(bytes)") }
    #expect(!LegacyText.isBinary(Array("text".utf8)))
    #expect(LegacyText.decode(Array("Rock\0Pop".utf8)) == "Rock\0Pop")
  }

  @Test(arguments: 0..<5)
  func `Japanese text in Shift-JIS is decoded`(index: Int) {
    let (bytes, text) = Self.japanese[index]
    #expect(LegacyText.encoding(of: bytes) == .other(.shiftJIS))
    #expect(LegacyText.decode(bytes) == text)
    let line = Array("#EXTINF:183,".utf8) + bytes + Array(" - live\r\n".utf8)
    #expect(LegacyText.decode(line) == "#EXTINF:183,\(text) - live\r\n")
  }

  @Test(arguments: [
    "Sigur Rós - Ágætis byrjun", "élan vital", "Élégie", "Größe", "Françoise Hardy – Comment te dire adieu",
    "Don’t Stop", "„Wunder“", "Café", "Noël", "crème brûlée", "blåbær", "Ñandú", "Motörhead", "“It’s”", "ÄÖ",
    "Les œuvres créées à l’été", "Ænima", "Þungur hnífur",
  ])
  func `Western text in Windows-1252 is decoded`(text: String) {
    let bytes = Self.windows1252(text)
    #expect(LegacyText.encoding(of: bytes) == .windows1252)
    #expect(LegacyText.decode(bytes) == text)
  }

  /// Returns a cue sheet with these titles, in any character set.
  private static func sheet(_ titles: [[UInt8]]) -> [UInt8] {
    titles.flatMap { Array("  TRACK 01 AUDIO\r\n    TITLE \"".utf8) + $0 + Array("\"\r\n".utf8) }
  }

  /// Titles in character sets that have no byte order mark, and their texts.
  private static let foreign: [(set: LegacyText.CharacterSet, bytes: [[UInt8]], texts: [String])] = [
    (
      .windows1251,
      [
        [0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8],
        [
          0xC7, 0xE0, 0xEA, 0xF0, 0xEE, 0xE9, 0x20, 0xE7, 0xE0, 0x20, 0xEC, 0xED, 0xEE, 0xE9, 0x20, 0xE4, 0xE2, 0xE5,
          0xF0, 0xFC,
        ],
      ], ["Группа крови", "Закрой за мной дверь"]
    ),
    (
      .koi8R,
      [
        [0xE7, 0xD2, 0xD5, 0xD0, 0xD0, 0xC1, 0x20, 0xCB, 0xD2, 0xCF, 0xD7, 0xC9],
        [
          0xFA, 0xC1, 0xCB, 0xD2, 0xCF, 0xCA, 0x20, 0xDA, 0xC1, 0x20, 0xCD, 0xCE, 0xCF, 0xCA, 0x20, 0xC4, 0xD7, 0xC5,
          0xD2, 0xD8,
        ],
      ], ["Группа крови", "Закрой за мной дверь"]
    ),
    (
      .gb18030,
      [
        [0xB6, 0xC0, 0xC9, 0xCF, 0xCE, 0xF7, 0xC2, 0xA5], [0xB5, 0xAB, 0xD4, 0xB8, 0xC8, 0xCB, 0xB3, 0xA4, 0xBE, 0xC3],
        [0xBC, 0xB8, 0xB6, 0xE0, 0xB3, 0xEE],
      ], ["独上西楼", "但愿人长久", "几多愁"]
    ),
    (
      .big5,
      [
        [0xBF, 0x57, 0xA4, 0x57, 0xA6, 0xE8, 0xBC, 0xD3], [0xA6, 0xFD, 0xC4, 0x40, 0xA4, 0x48, 0xAA, 0xF8, 0xA4, 0x5B],
        [0xB4, 0x58, 0xA6, 0x68, 0xB7, 0x54], [0xB2, 0x48, 0xB2, 0x48, 0xAB, 0xD5, 0xB1, 0xA1],
      ], ["獨上西樓", "但願人長久", "幾多愁", "淡淡幽情"]
    ),
    (
      .eucKR,
      [
        [0xC1, 0xC1, 0xC0, 0xBA, 0x20, 0xB3, 0xAF], [0xB9, 0xCC, 0xBF, 0xEE, 0x20, 0xBF, 0xC0, 0xB8, 0xAE],
        [0xB4, 0xDC, 0xB9, 0xDF, 0xB8, 0xD3, 0xB8, 0xAE],
      ], ["좋은 날", "미운 오리", "단발머리"]
    ),
    (
      .eucJP,
      [
        [0xC0, 0xB5, 0xA4, 0xB7, 0xA4, 0xA4, 0xB3, 0xB9],
        [0xB2, 0xCE, 0xC9, 0xF1, 0xB4, 0xEC, 0xC4, 0xAE, 0xA4, 0xCE, 0xBD, 0xF7, 0xB2, 0xA6],
        [
          0xB4, 0xDD, 0xA4, 0xCE, 0xC6, 0xE2, 0xA5, 0xB5, 0xA5, 0xC7, 0xA5, 0xA3, 0xA5, 0xB9, 0xA5, 0xC6, 0xA5, 0xA3,
          0xA5, 0xC3, 0xA5, 0xAF,
        ],
      ], ["正しい街", "歌舞伎町の女王", "丸の内サディスティック"]
    ),
    (
      .shiftJIS,
      [
        [0x90, 0xB3, 0x82, 0xB5, 0x82, 0xA2, 0x8A, 0x58],
        [0x89, 0xCC, 0x95, 0x91, 0x8A, 0xEA, 0x92, 0xAC, 0x82, 0xCC, 0x8F, 0x97, 0x89, 0xA4],
      ], ["正しい街", "歌舞伎町の女王"]
    ),
  ]

  @Test(arguments: 0..<7)
  func `A cue sheet in an East Asian or Cyrillic character set is decoded`(index: Int) {
    let (set, bytes, texts) = Self.foreign[index]
    let sheet = Self.sheet(bytes)
    #expect(LegacyText.encoding(of: sheet) == .other(set))
    #expect(LegacyText.decode(sheet) == String(decoding: Self.sheet(texts.map { Array($0.utf8) }), as: UTF8.self))
  }

  @Test func `An assumed encoding is used if the bytes are valid in it, and are not UTF-8`() {
    let polish: [UInt8] = [0xAF, 0xF3, 0xB3, 0x74, 0x79]
    #expect(LegacyText.decode(polish, assuming: .other(.windows1250)) == "Żółty")
    #expect(LegacyText.decode(Array("Żółty".utf8), assuming: .other(.windows1250)) == "Żółty")
    let russian = Self.sheet(Self.foreign[0].bytes)
    #expect(LegacyText.encoding(of: russian, assuming: .other(.shiftJIS)) == .other(.windows1251))
    #expect(LegacyText.encoding(of: russian, assuming: .windows1252) == .windows1252)
  }

  @Test func `Encodings are found by their names`() {
    for name in LegacyText.Encoding.names { #expect(LegacyText.Encoding(named: name) != nil, "\(name)") }
    #expect(LegacyText.Encoding(named: "windows-1251") == .other(.windows1251))
    #expect(LegacyText.Encoding(named: "ebcdic") == nil)
  }

  @Test func `All bytes are valid in Windows-1252`() {
    let all = (0...255).map { UInt8($0) }
    let text = LegacyText.decode(all, as: .windows1252)
    #expect(text.unicodeScalars.count == 256)
    #expect(text.unicodeScalars.map(\.value).prefix(0x80) == (0..<0x80).map { UInt32($0) }[...])
    #expect(Self.windows1252(text) == all)
  }

  @Test func `Incomplete or undefined characters of Shift-JIS make the text Windows-1252`() {
    let half = Self.japanese[0].bytes.dropLast()
    #expect(LegacyText.encoding(of: half) == .windows1252)
    // The bytes are well-formed, but the table has no such character.
    let unassigned = Self.japanese[0].bytes + [0x87, 0xFC]
    #expect(LegacyText.encoding(of: unassigned) == .windows1252)
    #expect(LegacyText.decode(unassigned).unicodeScalars.count == unassigned.count)
  }

  @Test func `Long text is decoded completely`() {
    var bytes: [UInt8] = []
    for _ in 0..<50_000 { bytes += Self.japanese[1].bytes + [0x0A] }
    #expect(LegacyText.decode(bytes) == String(repeating: "椎名林檎\n", count: 50_000))
  }

  @Test func `Any bytes can be decoded, in any encoding, and line breaks are preserved`() {
    var random = SeededGenerator(seed: 1)
    let encodings: [LegacyText.Encoding] = [
      .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .windows1252, .other(.shiftJIS),
      .other(.gb18030),
      .other(.windows1251),
    ]
    for _ in 0..<2_000 {
      let bytes = random.bytes(Int.random(in: 0...60, using: &random))
      for encoding in encodings { _ = LegacyText.decode(bytes, as: encoding) }
      let encoding = LegacyText.encoding(of: bytes)
      if encoding.isWide { continue }
      let lines = LegacyText.decode(bytes).unicodeScalars.count { $0 == "\n" }
      #expect(lines == bytes.count { $0 == 0x0A })
    }
  }

  /// Returns the bytes of `text` in Windows-1252, by inverting the decoder, which another test verifies.
  private static func windows1252(_ text: String) -> [UInt8] {
    let bytes = (0...255).map { UInt8($0) }
    let pairs: [(Unicode.Scalar, UInt8)] = bytes.map { byte in
      (LegacyText.decode([byte], as: .windows1252).unicodeScalars.first ?? "?", byte)
    }
    let table = Dictionary(pairs) { first, _ in first }
    return text.unicodeScalars.map { table[$0] ?? 0x3F }
  }
}
