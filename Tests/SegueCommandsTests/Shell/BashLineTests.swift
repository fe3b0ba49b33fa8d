import Testing

@testable import SegueCommands

struct BashLineTests {
  @Test(
    arguments: [
      ("Kind of Blue", nil, #"Kind\ of\ Blue"#), ("a'b\"c", nil, #"a\'b\"c"#),
      ("$(x)`y`", nil, #"\$\(x\)\`y\`"#),
      ("Kind of Blue", "\"", "Kind of Blue"), ("a\"b$c!d", "\"", #"a\"b\$c"'!'"d"#),
      ("it's", "'", #"it'\''s"#),
      ("夜 曲", nil, #"夜\ 曲"#), ("a:b=c", nil, #"a\:b\=c"#), ("x\"", "\"", #"x\"""#),
      ("e\u{301}", nil, "e\u{301}"),
    ] as [(String, Character?, String)])
  func `A text is quoted for where it stands`(text: String, mark: Character?, quoted: String) {
    #expect(BashQuoting.text(text, within: mark) == quoted)
  }

  @Test(
    arguments: [
      ("segue play ", "", "", "Blue", "Blue"), ("segue play kin", "kin", "kin", "Kind of", #"Kind\ of"#),
      ("segue play \"kin", "kin", "kin", "Kind of", "Kind of"),
      ("segue albums artist:co", "co", "artist:co", "artist:\"X Y\"", #"\"X\ Y\""#),
      ("segue play foo:b", "b", "foo:b", "Foo: Bar", #"\ Bar"#),
      ("segue play Kind\\ o", "Kind\\ o", "Kind o", "Kind of", #"Kind\ of"#),
      ("segue play other:b", "b", "other:b", "Foo: Bar", nil),
      ("segue play --sort=al", "al", "--sort=al", "--sort=album", "album"),
    ] as [(String, String, String, String, String?)])
  func `What bash's editor replaces is replaced, and nothing else`(
    line: String, edited: String, word: String, candidate: String, replacement: String?
  ) throws {
    let line = try #require(BashLine(line, edited: edited))
    #expect(line.word.text == word)
    #expect(line.replacement(candidate) == replacement)
  }
}
