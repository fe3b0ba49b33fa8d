import ArgumentParser
import TestSupport
import Testing

@testable import SegueCommands

struct PlainPlayTests {
  private static let words = [
    "--library", "--state-dir", "--data-dir", "--socket", "--output", "Blue", "Kind of Blue", "2-03", "help",
    "play", "~/Music", "year:1957..1965 -live", "Ágætis", "=", "", "-", "--", "-1", "--volume", "80",
    "--quiet", "--no-plain", "--output=a.wav", "--nosuch", "-o", "--help", "--version",
  ]

  @Test func `What is told without the parser is what the parser tells`() throws {
    var random = SeededGenerator(seed: 33)
    var plainCount = 0
    for _ in 0..<4000 {
      let line = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
      }
      guard let plain = PlayCommand(plain: line[...]) else { continue }
      let parsed = try #require(try PlayCommand.parseAsRoot(line) as? PlayCommand, "\(line)")
      #expect("\(plain)" == "\(parsed)", "\(line)")
      plainCount += 1
    }
    #expect(plainCount > 300)
  }

  @Test func `An album, a track and where things are need no parser`() throws {
    let words = [
      "--library", "/m", "Blue", "--output", "raw:a", "3", "--state-dir", "/s", "--data-dir", "/d",
      "--socket", "/c", "--library", "/n",
    ]
    let play = try #require(PlayCommand(plain: words[...]))
    #expect(play.album == "Blue" && play.track == "3")
    let options = play.options
    #expect(options.library == ["/m", "/n"] && options.output == "raw:a" && options.stateDir == "/s")
    #expect(options.dataDir == "/d" && options.socket == "/c")
    // Each option is set: one that is not says that it is only defined.
    #expect(!"\(play)".contains("definition"))
  }

  @Test(arguments: [
    ["-1"], ["Blue", "--quiet"], ["--output"], ["--output", "--library"], ["a", "b", "c"], [""], ["--", "a"],
    ["--output=a"], ["--help"],
  ])
  func `What is not plain is left to the parser`(words: [String]) {
    #expect(PlayCommand(plain: words[...]) == nil)
  }
}
