import Platform
import TestSupport
import Testing

struct LegacyTextTests {
  /// Texts as they are in Shift-JIS: 夜に駆ける, 椎名林檎, ソ表 (whose second bytes are backslashes), ｶﾗｵｹ.
  private static let japanese: [(bytes: [UInt8], text: String)] = [
    ([0x96, 0xE9, 0x82, 0xC9, 0x8B, 0xEC, 0x82, 0xAF, 0x82, 0xE9], "夜に駆ける"),
    ([0x92, 0xC5, 0x96, 0xBC, 0x97, 0xD1, 0x8C, 0xE7], "椎名林檎"),
    ([0x83, 0x5C, 0x95, 0x5C], "ソ表"),
    ([0xB6, 0xD7, 0xB5, 0xB9], "ｶﾗｵｹ"),
    ([0x93, 0x8C, 0x8B, 0x9E, 0x8E, 0x96, 0x95, 0xCF], "東京事変"),
  ]

  @Test func `Valid UTF-8 is that, with and without a byte order mark`() {
    #expect(LegacyText.decode(Array("Björk 夜".utf8)) == "Björk 夜")
    #expect(LegacyText.decode([0xEF, 0xBB, 0xBF] + Array("Björk".utf8)) == "Björk")
    #expect(LegacyText.decode([UInt8]()) == "")
    #expect(LegacyText.encoding(of: "plain".utf8) == .utf8)
  }

  @Test func `A byte order mark of UTF-8 stands above what is behind it`() {
    #expect(LegacyText.decode([0xEF, 0xBB, 0xBF, 0x61, 0xFF]) == "a\u{FFFD}")
  }

  @Test(arguments: [true, false])
  func `UTF-16 behind a byte order mark is read, half a unit at its end and half a pair`(isLittle: Bool) {
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

  @Test(arguments: 0..<5)
  func `Japanese text in Shift-JIS is read`(index: Int) {
    let (bytes, text) = Self.japanese[index]
    #expect(LegacyText.encoding(of: bytes) == .shiftJIS)
    #expect(LegacyText.decode(bytes) == text)
    let line = Array("#EXTINF:183,".utf8) + bytes + Array(" - live\r\n".utf8)
    #expect(LegacyText.decode(line) == "#EXTINF:183,\(text) - live\r\n")
  }

  @Test(arguments: [
    "Sigur Rós - Ágætis byrjun", "élan vital", "Élégie", "Größe", "Françoise Hardy – Comment te dire adieu",
    "Don’t Stop", "„Wunder“", "Café", "Noël", "crème brûlée", "blåbær", "Ñandú", "Motörhead", "“It’s”", "ÄÖ",
    "Les œuvres créées à l’été", "Ænima", "Þungur hnífur",
  ])
  func `Western text in Windows-1252 is read`(text: String) {
    let bytes = Self.windows1252(text)
    #expect(LegacyText.encoding(of: bytes) == .windows1252)
    #expect(LegacyText.decode(bytes) == text)
  }

  @Test func `All bytes are text in Windows-1252`() {
    let all = (0...255).map { UInt8($0) }
    let text = LegacyText.decode(all, as: .windows1252)
    #expect(text.unicodeScalars.count == 256)
    #expect(text.unicodeScalars.map(\.value).prefix(0x80) == (0..<0x80).map { UInt32($0) }[...])
    #expect(Self.windows1252(text) == all)
  }

  @Test func `What is half a character, or none, in Shift-JIS is Windows-1252`() {
    let half = Self.japanese[0].bytes.dropLast()
    #expect(LegacyText.encoding(of: half) == .windows1252)
    // Valid by its bytes, but the table has no such character.
    let unassigned = Self.japanese[0].bytes + [0x87, 0xFC]
    #expect(LegacyText.encoding(of: unassigned) == .shiftJIS)
    #expect(LegacyText.decode(unassigned).unicodeScalars.count == unassigned.count)
  }

  @Test func `Long text is converted whole`() {
    var bytes: [UInt8] = []
    for _ in 0..<50_000 { bytes += Self.japanese[1].bytes + [0x0A] }
    #expect(LegacyText.decode(bytes) == String(repeating: "椎名林檎\n", count: 50_000))
  }

  @Test func `Any bytes are text, in whatever encoding, and lines stay lines`() {
    var random = SeededGenerator(seed: 1)
    let encodings: [LegacyText.Encoding] = [
      .utf8, .utf16LittleEndian, .utf16BigEndian, .shiftJIS, .windows1252,
    ]
    for _ in 0..<2_000 {
      let bytes = random.bytes(Int.random(in: 0...60, using: &random))
      for encoding in encodings { _ = LegacyText.decode(bytes, as: encoding) }
      let encoding = LegacyText.encoding(of: bytes)
      if encoding == .utf16BigEndian || encoding == .utf16LittleEndian { continue }
      let lines = LegacyText.decode(bytes).unicodeScalars.count { $0 == "\n" }
      #expect(lines == bytes.count { $0 == 0x0A })
    }
  }

  /// The bytes of `text` in Windows-1252, by the reader itself, of which another test says that it is right.
  private static func windows1252(_ text: String) -> [UInt8] {
    let bytes = (0...255).map { UInt8($0) }
    let known: [(Unicode.Scalar, UInt8)] = bytes.map { byte in
      (LegacyText.decode([byte], as: .windows1252).unicodeScalars.first ?? "?", byte)
    }
    let table = Dictionary(known) { first, _ in first }
    return text.unicodeScalars.map { table[$0] ?? 0x3F }
  }
}
