// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import UnicodeText

struct CollationKeyTests {
  @Test(arguments: [
    // Numbers.
    ["1", "2", "10", "100"], ["Track 2", "track 10"], ["a1b2", "a1b10", "a2"], ["", "0", "1"],
    ["02", "2", "3"], ["99999999999999999998", "99999999999999999999", "100000000000000000000"],
    ["Vol. 9", "Vol. 10", "Volume"], ["a", "a1", "ab"], ["٢", "3", "１０", "11"],
    ["9", "①⓪", "50", "99 Luftballons"],
    // Latin letters.
    ["Ea", "Éa", "eb", "Éc"], ["cote", "coté", "côte", "côté"], ["A", "a", "Á", "á", "B"], ["o", "ø", "p"],
    ["ad", "Ænima", "af"], ["Straß", "Strasse", "Straße", "Strassf"], ["z", "ə", "α"],
    ["resume", "résumé", "resumed"], ["Zoe", "Zoé", "Zoë", "Zof"],
    // Words and punctuation.
    ["New York", "Newark"], ["A", "A B", "AB"], ["Dont", "Don't Stop", "Dont Stop", "Don’t Stop", "Dontz"],
    ["  a  b", "a b", "a\u{A0}b", "ab"], ["...", "?", "$", "♥", "1", "A"], ["AC", "AC/DC", "ACE"],
    ["\"Heroes\"", "Heroes", "“Heroes”", "Heron"],
    // Kana.
    ["あ", "い", "う", "え", "お", "か", "さ", "た", "な", "は", "ま", "や", "ら", "わ", "ゐ", "ゑ", "を", "ん"],
    ["か", "カ", "ｶ", "が", "ガ", "ｶﾞ", "かあ", "き"], ["はは", "ハハ", "はば", "はぱ", "ばば", "パパ", "はひ"],
    ["さくら", "サクラ", "さくらんぼ", "ザクロ", "しか"], ["はっか", "はつか", "ハッカ", "はつき"],
    ["かあと", "カート", "かい"], ["コオヒイ", "コーヒー", "こおひいめえかあ", "コカ"], ["きゃく", "きやく", "きゅう"],
    ["ここ", "こゝ", "こご", "こゞ", "こさ"], ["ア", "ア行", "い"],
    // Other scripts, each in the order of its alphabet.
    ["Άλφα", "αλφβ", "βήτα", "γάμμα", "σας", "ΣΑΣΑ", "ώμος"],
    ["арбуз", "вода", "Ёлка", "елкб", "жук", "и", "й", "Йод", "к", "я"],
    ["г", "ґ", "д", "є", "ж", "и", "і", "ї", "й"],
    ["אב", "שלוך", "שלום", "שָׁלוֹם", "תו"], ["ך", "כ", "ל"],
    ["أب", "بيت", "پدر", "تمر", "چای", "كتاب", "گل", "يد"],
    ["ա", "բ", "գ"], ["ა", "ბ", "გ"], ["अ", "आ", "क", "का", "कि", "की", "ख", "ह"], ["ক", "খ"],
    ["ก", "กา", "เก", "ไก่", "ข", "เข", "ค"], ["น้ำ", "เนย", "บ้าน"], ["ກ", "ເກ", "ຂ"],
    ["가", "가나", "각", "간", "나", "하"], ["ㄱ", "가", "힣"], ["一", "二", "日", "本"], ["日々", "日日", "日本"],
    // Scripts.
    [
      "", "!", "♪", "7", "z", "ω", "я", "ა", "ա", "ת", "ي", "አ", "ह", "হ", "ฮ", "ຮ", "ཀ", "က", "ក", "Ꭰ", "힣",
      "ア", "ㄅ",
      "ꀀ", "一", "㐀", "𠀀",
    ],
  ])
  func `Texts are in order`(texts: [String]) {
    let keys = texts.map { CollationKey($0) }
    for (index, key) in keys.enumerated().dropFirst() {
      #expect(keys[index - 1] < key, "\(texts[index - 1]) before \(texts[index])")
    }
  }

  @Test(arguments: [
    ("Björk", "bjork"), ("ガ", "か\u{3099}"), ("각", "\u{1100}\u{1161}\u{11A8}"), ("Й", "и\u{306}"),
    ("ｺｰﾋｰ", "コーヒー"),
    ("Don’t", "Don't"), ("１０", "10"),
  ])
  func `These are equal on the first level`(left: String, right: String) {
    #expect(primary(left) == primary(right))
  }

  @Test func `Equal keys mean equal texts`() {
    let texts = [
      "A", "a", "Ａ", "A ", " A", "Á", "A\u{301}", "あ", "ア", "ｱ", "ぁ", "", " ", "\0", "\u{1}", "\u{1}\u{1}",
      "\u{2}", "A\0",
      "a1", "a01", "!", "?", "-", "—",
    ]
    for left in texts {
      for right in texts {
        let areEqual = Array(left.utf8) == Array(right.utf8)
        #expect((CollationKey(left) == CollationKey(right)) == areEqual, "\(left.debugDescription) \(right)")
      }
    }
  }

  @Test func `Texts that match share a matching key`() {
    for (left, right) in [("Björk", "BJORK"), ("the  Who", "The Who"), ("Don’t", "don't"), ("ガ", "ｶﾞ")] {
      #expect(CollationKey(matching: left) == CollationKey(matching: right))
    }
    #expect(CollationKey(matching: "ハハ") != CollationKey(matching: "パパ"))
    #expect(CollationKey(matching: "AC/DC") != CollationKey(matching: "ACDC"))
  }

  @Test func `Concatenated keys compare text by text`() {
    let texts = ["", "a", "a b", "ab", "\0", "A\u{1}", "か", "がい", "1", "!"]
    let pairs = texts.flatMap { first in texts.map { (first, $0) } }
    func joined(_ pair: (String, String)) -> [UInt8] {
      CollationKey(pair.0).bytes + [0] + CollationKey(pair.1).bytes
    }
    for left in pairs {
      for right in pairs {
        let byText =
          left.0 == right.0
          ? CollationKey(left.1) < CollationKey(right.1) : CollationKey(left.0) < CollationKey(right.0)
        #expect(joined(left).lexicographicallyPrecedes(joined(right)) == byText)
      }
    }
  }

  @Test func `Every scalar has a key without a zero, alone and between others`() {
    for value in UInt32(0)...0x2_00FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = CollationKey("เ\(scalar)ー1\(scalar)ㄱ").bytes
      if bytes.contains(0) { Issue.record("U+\(String(value, radix: 16))") }
      if value.isMultiple(of: 8), CollationKey(String(scalar)).bytes[0] > 0xB2 { Issue.record("\(value)") }
    }
  }

  @Test func `A number that is too long, and a thousand letters before an accent, are sorted correctly`() {
    let long = String(repeating: "9", count: 1000)
    #expect(CollationKey("1" + long) > CollationKey("5"))
    let letters = String(repeating: "e", count: 1000)
    #expect(CollationKey(letters + "e") < CollationKey(letters + "é"))
    #expect(CollationKey(letters + "eé") < CollationKey(letters + "ée"))
    #expect(CollationKey(letters + "é") < CollationKey(String(letters.dropLast()) + "ée"))
  }

  private func primary(_ text: String) -> [UInt8] { Array(CollationKey(text).bytes.prefix { $0 != 1 }) }
}
