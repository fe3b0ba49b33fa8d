import Testing

@testable import MusicLibrary

@Suite struct PlaylistWordsTests {
  @Test func `Every scalar between two others stays, or is a space where it would end a line`() {
    var wrong: [UInt32] = []
    // All that are of two bytes, or begin as those do that end a line, and some of all others.
    for value in Array(UInt32(0)...0x2FFF) + Array(stride(from: 0x3000, through: 0x10FFFF, by: 251)) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var text = "é".unicodeScalars
      text.append(scalar)
      text.append("b")
      var expected = text
      if scalar.properties.generalCategory == .control || value == 0x2028 || value == 0x2029 {
        expected = "é b".unicodeScalars
      }
      let line = PlaylistWords.line(String(text))
      if line?.unicodeScalars.elementsEqual(expected) != true { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [
    (" a", "a"), ("a\u{85}", "a"), ("é\u{9F}\u{9F}b", "é b"), ("a\r\nb", "a b"), ("\u{2029}", nil), ("", nil),
    (nil, nil), ("日\u{2028} 本", "日  本"), ("Björk – \u{2027}", "Björk – \u{2027}"),
  ])
  func `A text is one line without space at its ends`(text: String?, line: String?) {
    #expect(PlaylistWords.line(text) == line)
  }
}
