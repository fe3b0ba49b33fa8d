import ArgumentParser
import Testing

@testable import SegueCommands

struct CommandNamesTests {
  @Test(arguments: [
    (["pley"], "there is no command \"pley\"; did you mean play?"),
    (["queue", "shufle"], "there is no command \"queue shufle\"; did you mean queue shuffle?"),
    (["help", "quue"], "there is no command \"quue\"; did you mean queue?"),
    (["help", "queue", "undoo"], "there is no command \"queue undoo\"; did you mean queue undo?"),
    (["frobnicate"], "there is no command \"frobnicate\"; `segue help` lists the commands"),
    (["queue", "xyz"], "there is no command \"queue xyz\"; `segue help queue` lists the commands"),
    (["heplp"], "there is no command \"heplp\"; did you mean help?"),
    ([""], "there is no command \"\"; `segue help` lists the commands"),
  ])
  func `A command that is not there is named, and the one that is like it`(words: [String], message: String) {
    let error = #expect(throws: CommandError.self) { try SegueCommand.command(words) }
    #expect(error == CommandError(.usage, message))
  }

  @Test(arguments: [
    [], ["play", "pley"], ["queue"], ["queue", "--limit", "3"], ["queue", "rm", "3"], ["help"],
    ["help", "play", "x"], ["--version"],
    ["help", "queue", "add"],
  ])
  func `What may stand there is left to the argument parser`(words: [String]) throws {
    try CommandNames.check(words, in: SegueCommand.self)
  }

  @Test func `The REPL names its own help`() {
    let error = #expect(throws: CommandError.self) { try CommandNames.check(["serve"], in: ReplWord.self) }
    #expect(error?.message == "there is no command \"serve\"; `help` lists the commands")
  }
}
