import Testing

@testable import Platform

struct NamePatternTests {
  @Test(arguments: [
    ("*.flac", "1.flac", true), ("*.flac", "1.flac.part", false), ("?", "a", true), ("[ab]*", "bcd", true),
    ("[!ab]*", "bcd", false), ("*", ".hidden", true), ("a/b", "a/b", true), ("", "", true), ("", "a", false),
    ("[", "[", true), ("\\*", "*", true), ("\\*", "a", false), ("ä*", "äh", true),
  ])
  func `A name is as a pattern says`(pattern: String, name: String, matches: Bool) {
    #expect(NamePattern(pattern.utf8).matches(name.utf8) == matches)
  }

  @Test func `Bytes that are no text are met by their pattern`() {
    #expect(NamePattern([0xFF, UInt8(ascii: "*")]).matches([0xFF, 0xFE]))
    #expect(NamePattern([0x61, 0, 0x62]).matches([0x61]))
  }

  @Test func `Many stars are soon done with`() {
    let pattern = NamePattern(String(repeating: "*a", count: 200).utf8 + [UInt8(ascii: "b")])
    #expect(!pattern.matches(String(repeating: "a", count: 255).utf8))
  }
}
