import Testing

@testable import SegueCommands

struct AmbiguousCommandTests {
  private let error = CommandError(
    .ambiguous, "x", choices: ["A/Low", "B/Low"], ambiguousText: "low", answers: ["A/Low", "/m/b"])

  private func words(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  @Test func `A number writes what it means in the place of the ambiguous word`() throws {
    let command = try #require(AmbiguousCommand(words(["play", "low", "3"]), error))
    #expect(command.count == 2)
    #expect(command.words(choosing: 2) == words(["play", "/m/b", "3"]))
    for number in [0, 3, -1, .max] { #expect(command.words(choosing: number) == nil) }
  }

  @Test func `Where there is no such word, nothing is chosen`() {
    #expect(AmbiguousCommand(words(["low", "lower"]), error) == nil)
    #expect(AmbiguousCommand(words(["play", "low"]), CommandError(.ambiguous, "x", choices: ["a"])) == nil)
    #expect(AmbiguousCommand(words(["play", "low"]), CommandError(.notFound, "x", ambiguousText: "low")) == nil)
  }

  @Test(
    arguments: [
      ("2", .chosen(2)), (" 1 ", .chosen(1)), ("", ChoicePrompt.Outcome.none), ("3", nil), ("0", nil), ("two", nil),
      ("99999999999999999999", nil),
    ] as [(String, ChoicePrompt.Outcome?)])
  func `A line is a number or nothing`(line: String, outcome: ChoicePrompt.Outcome?) {
    #expect(ChoicePrompt.outcome(of: Array(line.utf8), upTo: 2) == outcome)
  }
}
