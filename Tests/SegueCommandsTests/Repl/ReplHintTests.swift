import Testing

@testable import SegueCommands

struct ReplHintTests {
  @Test func `An album that is there is offered, or else how to have one`() {
    #expect(
      ReplHint.lines(album: "\"Blue Train\"", library: "/m", isThere: true) == [
        "Three things to try:", "  play \"Blue Train\"  an album", "  /                  search as you type",
        "  help               all words; quit or Ctrl-D ends",
      ])
    let empty = ReplHint.lines(album: nil, library: "/m", isThere: true)
    #expect(empty[0].hasPrefix("No music is known yet") && empty[1].contains("scan"))
    #expect(ReplHint.lines(album: nil, library: "/m", isThere: false)[0].hasPrefix("There is no /m"))
  }

  @Test func `Names cannot spoil the terminal`() {
    let lines = ReplHint.lines(album: nil, library: "/m\u{1B}[2J", isThere: false)
    #expect(lines.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") })
  }
}
