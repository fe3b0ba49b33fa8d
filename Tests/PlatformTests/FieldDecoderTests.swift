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

  /// Fields of albums in other languages in Latin script.
  static let latin: [(set: LegacyText.CharacterSet, fields: [String])] = [
    (.windows1250, ["Czesław Niemen", "Dziwny jest ten świat", "Czy mnie jeszcze pamiętasz", "Płonie stodoła"]),
    (.windows1250, ["Marek Grechuta", "Będziesz moją panią", "Korowód", "Dni, których jeszcze nie znamy"]),
    (.iso88592, ["Czesław Niemen", "Dziwny jest ten świat", "Czy mnie jeszcze pamiętasz", "Żółty liść"]),
    (.windows1250, ["Jaromír Nohavica", "Darmoděj", "Těšínská", "Když mě brali za vojáka", "Ladovská zima"]),
    (
      .windows1250,
      ["Antonín Dvořák", "Slovanské tance", "Rusalka: Měsíčku na nebi hlubokém", "Příroda, život a láska"]
    ),
    (.windows1250, ["Elán", "Voda, čo ma drží nad vodou", "Kočka", "Zaľúbil sa chlapec", "Neviem byť sám"]),
    (.windows1250, ["Omega", "Gyöngyhajú lány", "Ezüst eső", "A bűvész", "Régi csibészek"]),
    (.windows1250, ["Đorđe Balašević", "Priča o Vasi Ladačkom", "Lepa protina kći", "Život je more"]),
    (.windows1250, ["Phoenix", "Muşcă", "Vara", "Pădurea", "Ţara mea", "Cine iubeşte şi lasă"]),
    (.windows1254, ["Barış Manço", "Dağlar Dağlar", "Gülpembe", "Arkadaşım Eşek", "Halil İbrahim Sofrası"]),
    (.windows1254, ["Tarkan", "Şımarık", "Kır Zincirlerini", "Ölürüm Sana", "Kış Güneşi"]),
    (.windows1257, ["Prāta Vētra", "Lidmašīnas", "Ziemu apēst", "Tu izvēlējies palikt"]),
    (.windows1257, ["Foje", "Laužo šviesa", "Kai perplauksi upę", "Žmonės nuo vieno pasaulio", "Paskutinį kartą"]),
  ]

  /// Fields of albums in Windows-1252, in many languages, some of them mixed.
  static let western: [[String]] = [
    ["Édith Piaf", "La Vie en rose", "Padam… padam…", "L’Hymne à l’amour", "Où est-il, mon gars ?"],
    ["Georges Brassens", "Le Père Noël et la petite fille", "Chœur d'anges", "À l'ombre des maris", "Œuvre"],
    ["Herbert Grönemeyer", "Männer", "Für dich da", "Mädchen", "Größer"],
    ["Silvio Rodríguez", "Ojalá", "Sueño con serpientes", "¿A dónde van?", "Pequeña serenata diurna"],
    ["João Gilberto", "Você e eu", "Coração vagabundo", "É luxo só", "Estação derradeira", "Não vou pra casa"],
    ["Fabrizio De André", "Città vecchia", "Crêuza de mä", "Perché", "Più in là", "È stato così", "La virtù"],
    ["Kim Larsen", "Jeg er så glad for min cykel", "Østre Gasværk", "Køb bananer", "Mørket"],
    ["Håkan Hellström", "Känn ingen sorg för mig Göteborg", "Nåt gammalt, nåt nytt, nåt lånat, nåt blått"],
    ["Leevi and the Leavings", "Šakki", "Šeikki", "Yö", "Tähdenlento"],
    ["Sigur Rós", "Starálfur", "Ný batterí", "Viðrar vel til loftárása", "Ágætis byrjun", "Sæglópur"],
    ["Ásgeir", "Dýrð í dauðaþögn", "Hærra", "Leyndarmál", "Þennan dag"],
    ["Emilíana Torrini", "Þú", "Kýr"],
    ["Lluís Llach", "Què feliç era mare", "Cançó sense nom", "Ítaca", "Núvols"],
    ["Eivør", "Trøllabundin", "Í Tokuni", "Føroyar", "Bjørkin", "Dansaði", "Mín móðir"],
    ["Père", "Après un rêve", "Bjørn", "Sigur Rós", "Motörhead", "Però", "Così fan tutte", "Señorita", "Ænima", "Þú"],
    ["Clannad", "Dúlamán", "Siúil a Rún", "Níl Sé'n Lá", "An tÚll", "Buachaill Ón Éirne"],
    ["Beyoncé", "Déjà Vu", "£1,000", "Naïve", "Queensrÿche", "½ Man", "Sinéad O’Connor"],
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

  @Test(arguments: 0..<13)
  func `Albums in other languages in Latin script are told from Western ones`(index: Int) {
    let (set, fields) = Self.latin[index]
    let bytes = fields.map { Self.bytes($0, set) }
    #expect(LegacyText.FieldDecoder(bytes, assuming: nil).texts(of: bytes) == fields)
    for western in ["Motörhead", "Håkan Hellström"] {
      let name = Self.latin(western)
      let decoder = LegacyText.FieldDecoder(bytes + [name], assuming: nil)
      #expect(decoder.texts(of: bytes + [name]) == fields + [western])
    }
    #expect(LegacyText.decode(Array(bytes.joined(separator: [0x0A]))) == fields.joined(separator: "\n"))
  }

  @Test(arguments: 0..<17)
  func `Any part of an album in a Western language stays Windows-1252`(index: Int) {
    let fields = Self.western[index]
    for start in fields.indices {
      for end in start..<fields.endIndex {
        let part = Array(fields[start...end])
        let bytes = part.map { Self.latin($0) }
        #expect(LegacyText.FieldDecoder(bytes, assuming: nil).texts(of: bytes) == part)
        #expect(LegacyText.decode(Array(bytes.joined(separator: [0x0A]))) == part.joined(separator: "\n"))
      }
    }
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
