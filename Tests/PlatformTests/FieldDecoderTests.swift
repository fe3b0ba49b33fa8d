// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Platform

struct FieldDecoderTests {
  /// Fields of albums, by the character set in which they are written.
  static let albums: [(set: LegacyText.CharacterSet, fields: [String])] = [
    (.windows1251, ["ДДТ", "Это всё", "Осень", "Актриса Весна"]),
    (.windows1251, ["Кино", "Группа крови"]),
    (.koi8R, ["ДДТ", "Это всё", "Осень", "Актриса Весна"]),
    (.koi8R, ["Кино", "Группа крови"]),
    (.windows1253, ["Μάνος Χατζιδάκις", "Το χαμόγελο της Τζοκόντας"]),
    (.windows1255, ["שלום חנוך", "מחכים למשיח"]),
    (.shiftJIS, ["椎名林檎", "正しい街", "無罪モラトリアム"]),
    (.eucJP, ["椎名林檎", "正しい街", "無罪モラトリアム"]),
    (.gb18030, ["邓丽君", "月亮代表我的心", "经典金曲精选集"]),
    (.gb18030, ["周杰伦", "七里香"]),
    (.big5, ["鄧麗君", "但願人長久", "淡淡幽情"]),
    (.big5, ["鄧麗君", "淡淡幽情", "獨上西樓", "幾多愁"]),
    (.shiftJIS, ["ｱｲｳｴｵ", "ﾊﾞﾗｰﾄﾞ DJｹﾝ"]),
    (.eucKR, ["아이유", "좋은 날", "리얼"]),
  ]

  private static func bytes(_ text: String, _ set: LegacyText.CharacterSet) -> [UInt8] {
    LegacyText.encode(text, as: .other(set)) ?? []
  }

  private static func latin(_ text: String) -> [UInt8] { LegacyText.encode(text, as: .windows1252) ?? [] }

  @Test(arguments: 0..<14)
  func `The few words of an album tell their encoding`(index: Int) {
    let (set, fields) = Self.albums[index]
    let bytes = fields.map { Self.bytes($0, set) }
    #expect(LegacyText.FieldDecoder(bytes, assuming: nil).texts(of: bytes) == fields)
  }

  @Test(arguments: 0..<14)
  func `Western names beside them stay right`(index: Int) {
    let (set, fields) = Self.albums[index]
    let western = [
      "Björk", "Motörhead", "Sigur Rós", "Ágætis byrjun", "Blue Öyster Cult", "Mötley Crüe", "Don’t Stop", "Café",
      "Håkan Hellström",
    ]
    let foreign = fields.map { Self.bytes($0, set) }
    let decoder = LegacyText.FieldDecoder(foreign + western.map { Self.latin($0) }, assuming: nil)
    #expect(decoder.texts(of: western.map { Self.latin($0) }) == western)
    #expect(decoder.texts(of: foreign) == fields)
    let forced = LegacyText.FieldDecoder([], assuming: .other(set))
    #expect(forced.texts(of: [Self.latin("Björk"), Self.latin("Sigur Rós")]) == ["Björk", "Sigur Rós"])
  }

  @Test(arguments: [
    "Björk", "Motörhead", "Sigur Rós", "Góðan daginn", "À la carte", "Voilà à Paris", "Noël Coward", "Œuvres", "¿Qué?",
    "“Heroes”", "Rock ’n’ Roll", "Nº 5", "1° – 2°", "Mañana", "Ærø", "Übermut", "Straße", "Ça ira", "Où est Émile ?",
    "Hræð", "Orphéé", "Šárka", "Æ", "É", "© 1999 – ®", "½ Mensch",
  ])
  func `Western text is Windows-1252, alone and in other encodings' albums`(text: String) {
    let bytes = Self.latin(text)
    #expect(LegacyText.FieldDecoder([bytes], assuming: nil).texts(of: [bytes]) == [text])
    let russian = Self.bytes("Группа крови", .windows1251)
    #expect(LegacyText.FieldDecoder([bytes, russian], assuming: nil).texts(of: [bytes]) == [text])
  }

  @Test func `Fields in two encodings are both decoded`() {
    let russian = ["Группа крови", "Закрой за мной дверь", "Кино", "Война"].map { Self.bytes($0, .windows1251) }
    let chinese = ["邓丽君", "月亮代表我的心"].map { Self.bytes($0, .gb18030) }
    let decoder = LegacyText.FieldDecoder(russian + chinese, assuming: nil)
    #expect(decoder.texts(of: russian) == ["Группа крови", "Закрой за мной дверь", "Кино", "Война"])
    #expect(decoder.texts(of: chinese) == ["邓丽君", "月亮代表我的心"])
  }

  @Test func `A character that is cut off becomes U+FFFD, and the others stay`() {
    let fields = ["邓丽君", "月亮代表我的心", "经典金曲精选集"].map { Self.bytes($0, .gb18030) }
    let cut = Array(Self.bytes("月亮代表我的心", .gb18030).dropLast())
    let decoder = LegacyText.FieldDecoder(fields + [cut], assuming: nil)
    #expect(decoder.texts(of: fields + [cut]).last == "月亮代表我的\u{FFFD}")
    let forced = LegacyText.FieldDecoder([], assuming: .other(.gb18030))
    #expect(forced.texts(of: [cut]) == ["月亮代表我的\u{FFFD}"])
  }

  @Test func `A forced encoding decodes what would not be detected, but not UTF-8`() {
    let polish = ["Żółty", "Mój świat"].map { Self.bytes($0, .windows1250) }
    let decoder = LegacyText.FieldDecoder([], assuming: .other(.windows1250))
    #expect(decoder.texts(of: polish + [Array("Żółty".utf8)]) == ["Żółty", "Mój świat", "Żółty"])
    let short = ["Мы", "Я"].map { Self.bytes($0, .koi8R) }
    #expect(LegacyText.FieldDecoder([], assuming: .other(.koi8R)).texts(of: short) == ["Мы", "Я"])
  }

  @Test func `Any bytes are decoded`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let fields = (0..<3).map { _ in
        (0..<Int.random(in: 1...30)).map { _ in UInt8.random(in: 1...255, using: &random) }
      }
      let texts = LegacyText.FieldDecoder(fields, assuming: nil).texts(of: fields)
      #expect(texts.count == 3 && !texts.contains(""), "\(fields)")
    }
  }
}
