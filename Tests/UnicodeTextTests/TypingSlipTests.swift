// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import UnicodeText

@Suite struct TypingSlipTests {
  private func letters(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  @Test(arguments: [
    ("coltrain", "coltraine", true), ("coltrane", "coltrain", false), ("beatles", "beetles", true),
    ("beatels", "beatles", true), ("beattles", "beatles", true), ("betles", "beatles", true),
    ("eatles", "beatles", true), ("beatle", "beatles", true), ("beatles", "beatles", false),
    ("metallcia", "metallica", true), ("metlalcia", "metallica", false), ("кинчев", "киничев", true), ("", "", false),
    ("aabb", "bbaa", false),
  ])
  func `One letter wrong, missing or too many, or two swapped, is a slip`(typed: String, word: String, isSlip: Bool) {
    #expect(TypingSlip.separates(letters(typed), letters(word)) == isSlip)
    #expect(TypingSlip.separates(letters(word), letters(typed)) == isSlip)
    let isOriginal = TypingSlip.originals(of: letters(typed), within: typed.count).contains(word)
    // A letter after the last one is not within the word.
    #expect(isOriginal == (isSlip && !word.hasPrefix(typed)))
  }

  @Test(arguments: [
    ("blue", false), ("train", true), ("m83ab", false), ("кинчев", true), ("①②③④⑤", false), ("夜", false),
  ])
  func `Short words and words with digits have no slips`(word: String, isPossible: Bool) {
    #expect(TypingSlip.isPossible(in: letters(word)) == isPossible)
  }
}
