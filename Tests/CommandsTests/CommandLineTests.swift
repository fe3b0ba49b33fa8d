// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerPort
import Testing
import UserSettings

@testable import Commands
@testable import Screens

struct CommandLineTests {
  private static func parse<C: ParsableCommand>(
    _ root: any ParsableCommand.Type, _ words: [String], _: C.Type
  ) throws -> C {
    try #require(try root.parseAsRoot(words) as? C)
  }

  @Test func `play takes an album, a track and options in any order`() throws {
    let plain = try Self.parse(SegueCommand.self, ["play", "Kind of Blue"], PlayCommand.self)
    #expect(plain.words == ["Kind of Blue"] && plain.options.output == nil)
    let full = try Self.parse(
      SegueCommand.self,
      ["play", "--library", "/m", "Blue", "--output=wav:a b.wav", "2-03", "--state-dir", "/s"],
      PlayCommand.self)
    #expect(full.words == ["Blue", "2-03"] && full.options.output == "wav:a b.wav")
    #expect(full.options.library == ["/m"] && full.options.stateDir == "/s")
    let dashed = try Self.parse(SegueCommand.self, ["play", "--", "-1", "-2"], PlayCommand.self)
    #expect(dashed.words == ["-1", "-2"])
  }

  @Test func `A command parsed on its own equals the one parsed by the root command`() throws {
    let words = ["play", "Blue", "2-03", "--output", "wav:a.wav", "--volume=80", "--pause-on-loss"]
    let play = try #require(try SegueCommand.command(words) as? PlayCommand)
    #expect(play.words == ["Blue", "2-03"] && play.options.output == "wav:a.wav")
    #expect(play.options.volume == 80 && play.options.pauseOnLoss == true && play.options.rate == nil)
    #expect(try SegueCommand.command(["resume"]) is ResumeCommand)
    #expect(try SegueCommand.command(["queue", "--state-dir", "/s"]) is QueueListCommand)
    #expect(try SegueCommand.command(["help", "play"]) as? any SessionCommand == nil)
    #expect(try SegueCommand.command(["play", "--help"]) as? any SessionCommand == nil)
  }

  @Test(
    arguments: [
      ([], true), (["--plain"], true), (["--library", "/m"], true), (["--help"], false), (["-h"], false),
      (["--version"], false), (["play"], false), (["--plain", "play", "x"], false),
    ] as [([String], Bool)])
  func `Options without a command show the full screen`(words: [String], showsScreen: Bool) {
    #expect(SegueCommand.namesNoCommand(words) == showsScreen)
  }

  @Test func `An option before the command is refused with a hint to put it after`() throws {
    let error = #expect(throws: PlayerError.self) { try SegueCommand.command(["--plain", "play", "x"]) }
    #expect(error?.message.contains("--plain must follow the command") == true)
  }

  @Test func `Options without a command need a terminal`() throws {
    let error = #expect(throws: PlayerError.self) { try SegueCommand.command(["--library", "/m"]) }
    #expect(
      error?.message
        == "there is no terminal for the full screen: name a command, as in `segue albums --library /m`")
  }

  @Test(arguments: [
    ["pause", "a", "b"], ["play", "a", "--volume", "loud"], ["play", "--nosuch"],
    ["play", "--generate-completion-script", "zsh"], ["--version"], ["play", "--version"],
  ])
  func `An error of a command parsed on its own equals that of the root command`(words: [String]) throws {
    let commandError = #expect(throws: (any Error).self) { try SegueCommand.command(words) }
    let rootError = #expect(throws: (any Error).self) { try SegueCommand.parseAsRoot(words) }
    let errors = try (command: #require(commandError), root: #require(rootError))
    #expect(SegueCommand.fullMessage(for: errors.command) == SegueCommand.fullMessage(for: errors.root))
  }

  @Test(arguments: [SegueCommand.self, ReplWord.self] as [any ParsableCommand.Type])
  func `albums, queue and outputs are commands and REPL words`(root: any ParsableCommand.Type) throws {
    #expect(try Self.parse(root, ["albums"], AlbumsCommand.self).query.isEmpty)
    let albums = try Self.parse(
      root, ["albums", "blue", "train", "--library", "/m", "--sort", "year"], AlbumsCommand.self)
    #expect(albums.query == ["blue", "train"] && albums.options.library.library == ["/m"])
    #expect(albums.order.order == LibraryOrder(.year))
    let queue = try Self.parse(root, ["queue", "--state-dir", "/s", "--limit", "3"], QueueListCommand.self)
    #expect(queue.state.stateDir == "/s" && queue.window.limit == 3)
    _ = try Self.parse(root, ["outputs"], OutputsListCommand.self)
  }

  @Test(arguments: [SegueCommand.self, ReplWord.self] as [any ParsableCommand.Type])
  func `Ranges may begin with a dash, and stand before and after options`(root: any ParsableCommand.Type)
    throws
  {
    let remove = try Self.parse(
      root, ["queue", "remove", "-4", "--state-dir", "/s", "7-"], QueueRemoveCommand.self)
    #expect(remove.range == ["-4", "7-"] && remove.state.stateDir == "/s")
    #expect(
      try Self.parse(root, ["queue", "move", "-12", "end"], QueueMoveCommand.self).words == ["-12", "end"])
    #expect(try Self.parse(root, ["queue", "crop"], QueueCropCommand.self).range.isEmpty)
    let insert = try Self.parse(
      root, ["queue", "insert", "next", "a", "b", "--library", "/m"], QueueInsertCommand.self)
    #expect(insert.position == "next" && insert.options.query == ["a", "b"])
  }

  @Test(arguments: ["90", "1:30", "+10", "-10", "-1:30", "1:02:03"])
  func `seek accepts a position or a signed step`(position: String) throws {
    #expect(try Self.parse(ReplWord.self, ["seek", position], SeekCommand.self).position == [position])
  }

  @Test(arguments: [nil, "next", "previous", "12"] as [String?])
  func `chapter accepts a number, a direction or nothing`(chapter: String?) throws {
    #expect(
      try Self.parse(ReplWord.self, ["chapter"] + [chapter].compactMap(\.self), ChapterCommand.self).chapter == chapter)
  }

  @Test(arguments: [[], ["mark"], ["off"], ["1:02", "75"]])
  func `loop accepts two times, a word or nothing`(times: [String]) throws {
    #expect(try Self.parse(ReplWord.self, ["loop"] + times, LoopCommand.self).times == times)
  }

  @Test(arguments: [[], ["50"], ["+5"], ["-5"]])
  func `volume accepts a percentage, a step or nothing`(percent: [String]) throws {
    #expect(try Self.parse(ReplWord.self, ["volume"] + percent, VolumeCommand.self).percent == percent)
  }

  @Test func `Every command for a player takes the options that select the player`() throws {
    for type in SegueCommand.configuration.subcommands + QueueCommand.configuration.subcommands
    where (type is any QueueStateCommand.Type || type is any TransportCommand.Type) && type.configuration.shouldDisplay
    {
      let options = try #require(CommandDescription(of: type)).options
      #expect(options["--state-dir"] != nil && options["--socket"] != nil, "\(type.commandNames)")
    }
    for word in ["volume", "seek"] {
      let command = try #require(
        try SegueCommand.command([word, "30", "--state-dir", "/s"]) as? any TransportCommand)
      #expect(command.state.stateDir == "/s" && command.state.socket == nil)
    }
    #expect(
      try Self.parse(SegueCommand.self, ["volume", "30", "--state-dir", "/s"], VolumeCommand.self).percent == ["30"])
  }

  @Test(arguments: ["pause", "resume", "next", "previous", "stop", "quit", "exit", "help"])
  func `Playback commands take no arguments`(word: String) throws {
    _ = try ReplWord.parseAsRoot([word])
    if word != "help" { #expect(throws: (any Error).self) { try ReplWord.parseAsRoot([word, "3"]) } }
  }

  @Test(arguments: [
    ["frobnicate"], ["pause", "a", "b"], ["play", "a", "--output"], ["play", "--nosuch"],
    ["filter"],
    ["queue", "x"], ["queue", "add"], ["queue", "remove"], ["queue", "undo", "x"],
    ["outputs", "x"], ["repl", "x"], ["albums", "--sort", "colour"],
    ["albums", "--limit", "-1"],
  ])
  func `An invalid command line is refused`(words: [String]) {
    #expect(throws: (any Error).self) { try SegueCommand.parseAsRoot(words) }
  }

  @Test(
    arguments: SegueCommand.configuration.subcommands + ReplWord.configuration.subcommands
      + QueueCommand.configuration.subcommands)
  func `The help of every command fits the width`(command: any ParsableCommand.Type) {
    let help = command.helpMessage(columns: 80)
    #expect(help.contains("USAGE"))
    #expect(!command.configuration.abstract.isEmpty && command.configuration.abstract.hasSuffix("."))
    // The argument parser does not wrap the usage line.
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") })
  }
}

struct CommandGroupTests {
  @Test func `The help lists every command in a group`() {
    #expect(SegueCommand.configuration.ungroupedSubcommands.isEmpty)
    let help = SegueCommand.helpMessage(columns: 80)
    for group in SegueCommand.configuration.groupedSubcommands {
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { $0 != "\(group.name.uppercased()) SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
      let listed = lines.filter { !$0.hasPrefix("   ") }.map { $0.split(separator: " ").first.map(String.init) }
      let displayed = group.subcommands.filter { $0.configuration.shouldDisplay }
      #expect(listed == displayed.map { $0.commandNames.first })
    }
  }
}

struct CommandNamesTests {
  @Test(arguments: [
    (["pley"], "unknown command \"pley\"; did you mean \"play\"?"),
    (["queue", "shufle"], "unknown command \"queue shufle\"; did you mean \"queue shuffle\"?"),
    (["help", "quue"], "unknown command \"quue\"; did you mean \"queue\"?"),
    (["help", "queue", "undoo"], "unknown command \"queue undoo\"; did you mean \"queue undo\"?"),
    (["frobnicate"], "unknown command \"frobnicate\"; use `segue help` to list the commands"),
    (["queue", "xyz"], "unknown command \"queue xyz\"; use `segue help queue` to list the commands"),
    (["heplp"], "unknown command \"heplp\"; did you mean \"help\"?"),
    ([""], "unknown command \"\"; use `segue help` to list the commands"),
    (["undo"], "unknown command \"undo\"; use `segue queue undo`"),
    (["add", "x"], "unknown command \"add\"; use `segue queue add`"),
    (["lsplaylists"], "unknown command \"lsplaylists\"; use `segue playlist list`"),
    (["update"], "unknown command \"update\"; use `segue scan`"),
    (["current"], "unknown command \"current\"; use `segue status`"),
    (["queue", "del", "3"], "unknown command \"queue del\"; use `segue queue remove`"),
    (["playlist", "rm", "x"], "unknown command \"playlist rm\"; use `segue playlist delete`"),
    (["/"], "/ is a directory, not a command: `segue --library /` shows it as the library, `segue play /` plays it"),
    (["./nosuch"], "no such file or directory: ./nosuch"),
    (
      ["Kind of Blue"],
      "unknown command \"Kind of Blue\"; to play music with this name, use `segue play \"Kind of Blue\"`"
    ),
  ])
  func `An unknown command is reported with the most similar one`(words: [String], message: String) {
    let error = #expect(throws: PlayerError.self) { try SegueCommand.command(words) }
    #expect(error == PlayerError(.usage, message))
  }

  @Test(arguments: [
    [], ["play", "pley"], ["queue"], ["queue", "--limit", "3"], ["queue", "rm", "3"], ["help"],
    ["help", "play", "x"], ["--version"],
    ["help", "queue", "add"],
  ])
  func `Valid command names are left to the argument parser`(words: [String]) throws {
    try CommandNames.check(words, in: SegueCommand.self)
  }

  @Test func `The REPL refers to its own help`() {
    let error = #expect(throws: PlayerError.self) { try CommandNames.check(["serve"], in: ReplWord.self) }
    #expect(error?.message == "unknown command \"serve\"; use `help` to list the commands")
    let habit = #expect(throws: PlayerError.self) { try CommandNames.check(["undo"], in: ReplWord.self) }
    #expect(habit?.message == "unknown command \"undo\"; use `queue undo`")
    let path = #expect(throws: PlayerError.self) { try CommandNames.check(["/"], in: ReplWord.self) }
    #expect(path?.message == "/ is a directory, not a command: `play /` plays it")
  }

  @Test func `Every hint is a command line that the parser knows`() throws {
    for (word, meant) in CommandHints.commands {
      let words = meant.split(separator: " ").map(String.init)
      #expect(throws: Never.self) { try CommandNames.check(words, in: SegueCommand.self) }
      #expect(throws: PlayerError.self, "\(word) is a command") {
        try CommandNames.check(
          FormerCommands.renamed(word.split(separator: " ").map(String.init)), in: SegueCommand.self)
      }
    }
  }
}

struct AmbiguousCommandTests {
  private let error = PlayerError(
    .ambiguous, "x", choices: ["A/Low", "B/Low"], ambiguousText: "low", answers: ["A/Low", "/m/b"])

  private func words(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  @Test func `A number replaces the ambiguous word by the chosen meaning`() throws {
    let command = try #require(AmbiguousCommand(words(["play", "low", "3"]), error))
    #expect(command.count == 2)
    #expect(command.words(choosing: 2) == words(["play", "/m/b", "3"]))
    for number in [0, 3, -1, .max] { #expect(command.words(choosing: number) == nil) }
  }

  @Test func `Several words that are ambiguous together are replaced by the chosen meaning`() throws {
    let error = PlayerError(
      .ambiguous, "x", choices: ["A", "B"], ambiguousText: "low down", answers: ["A/Low", "B/Low"])
    let command = try #require(AmbiguousCommand(words(["play", "low", "down", "3"]), error))
    #expect(command.words(choosing: 2) == words(["play", "B/Low", "3"]))
    #expect(AmbiguousCommand(words(["play", "low", "x", "down"]), error) == nil)
  }

  @Test func `Without an ambiguous word there is nothing to choose`() {
    #expect(AmbiguousCommand(words(["low", "lower"]), error) == nil)
    #expect(AmbiguousCommand(words(["play", "low"]), PlayerError(.ambiguous, "x", choices: ["a"])) == nil)
    #expect(AmbiguousCommand(words(["play", "low"]), PlayerError(.notFound, "x", ambiguousText: "low")) == nil)
  }

  @Test(
    arguments: [
      ([.character("2"), .enter], "2", .chosen(2)), ([.enter], "", ChoicePrompt.Outcome.none),
      ([.character("3")], "3", nil), ([.down, .enter], "1", .chosen(1)), ([.down, .down, .down], "1\u{8}2\u{8}1", nil),
      ([.up, .enter], "2", .chosen(2)), ([.character("x"), .left, .escape], "", ChoicePrompt.Outcome.none),
      ([.character("1"), .backspace, .enter], "1\u{8} \u{8}", ChoicePrompt.Outcome.none),
      ([.character("1"), .character("2"), .down], "12\u{8}\u{8}1 \u{8}", nil),
      ([.character("0"), .enter], "0\n1 to 2, or Enter for none: ", nil),
      (Array(repeating: .character("9"), count: 30) + [.enter], "999999999\n1 to 2, or Enter for none: ", nil),
      ([.control("d")], "", ChoicePrompt.Outcome.none),
    ] as [([Key], String, ChoicePrompt.Outcome?)])
  func `A candidate is chosen by its number or with the arrow keys`(
    keys: [Key], shown: String, outcome: ChoicePrompt.Outcome?
  ) {
    var answer = ChoiceAnswer(count: 2)
    let effects = keys.map { answer.press($0) }
    #expect(effects.map(\.effect).joined() == shown && effects.last?.outcome == outcome)
  }
}
