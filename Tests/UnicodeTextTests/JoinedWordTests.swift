// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import UnicodeText

@Suite struct JoinedWordTests {
  @Test(arguments: [
    ("AC/DC", ["acdc": "ac dc"]), ("Jay-Z & Don’t", ["jayz": "jay z", "dont": "don t"]),
    ("R.E.M.", ["rem": "r e m"]), ("Rock'n'Roll", ["rockn": "rock n", "nroll": "n roll", "rocknroll": "rock n roll"]),
    ("AC⚡DC", ["acdc": "ac⚡dc"]), ("M·A·S·H*", ["mas": "m a s", "ash": "a s h", "mash": "m a s h"]),
    ("Ke$ha", ["keha": "ke ha", "kesha": "ke ha"]), ("P!nk", ["pnk": "p nk", "pink": "p nk"]),
    ("$uicideboy$", ["suicideboys": "uicideboy"]), ("Wham! Rap (1983)", [:]), ("Kind of Blue", [:]),
    ("Sigur Rós", [:]), ("M83", [:]), ("4'33\" 1/2 1982-2002", [:]), ("M-83", ["m83": "m 83"]),
    ("Группа «Ю-Питер»", ["юпитер": "ю питер"]), ("צה״ל", ["צהל": "צה ל"]), ("マイケル・ジャクソン", [:]), ("夜-曲", [:]),
    ("!!!", [:]), ("a - b", [:]), ("", [:]), ("Beyoncé's", ["beyonces": "beyonce s"]),
  ])
  func `Words with something between their letters are also typed without it`(text: String, words: [String: String]) {
    let found = JoinedWord.all(in: text)
    #expect(Dictionary(found.map { ($0.joined, $0.words) }) { first, _ in first } == words)
    for word in found { #expect(" \(word.words) ".searchWords == " \(word.words) ") }
  }

  @Test func `A word of many parts or letters is not taken apart, or not joined`() {
    let parts = String(repeating: "ab-", count: 20)
    #expect(JoinedWord.all(in: parts).map(\.joined.count) == [40])
    #expect(JoinedWord.all(in: String(repeating: "ab-", count: 100_000)).isEmpty)
  }

  @Test(arguments: [
    ("AC/DC: Don't Stop", " acdc dont stop "), ("R.E.M.", " rem "), ("a - b", " a b "), ("!!!", " !!! "),
    ("Blue Train", " blue train "), ("夜・曲", " 夜 曲 "), ("M★A★S★H", " mash "),
  ])
  func `What stands between the letters of a word is left out`(text: String, words: String) {
    #expect(text.joinedSearchWords == words)
  }
}
