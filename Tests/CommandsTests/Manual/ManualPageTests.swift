// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import FaceExamples
import Foundation
import MusicModel
import PlayerFlow
import PlayerPort
import Testing

@testable import Commands
@testable import Screens
@testable import UserSettings
@testable import segue_manual

struct ManualPageTests {
  @Test func `The page covers every command, option and exit status`() throws {
    let text = try #require(ManualPage()).text
    let lines = Set(text.split(separator: "\n").map(String.init))
    for command in try #require(CommandHelp.all(of: SegueCommand.self)) {
      #expect(lines.contains(".Ss \(command.path.joined(separator: " "))"))
      for name in command.options.flatMap(\.names) where name.hasPrefix("--") {
        #expect(text.contains(".It Fl \\-\(name.dropFirst(2).replacing("-", with: "\\-"))"), "\(name)")
      }
    }
    for status in type(of: PlayerError.noPlayer.status).allCases { #expect(lines.contains(".It \(status.rawValue)")) }
  }

  @Test func `The page covers the words of the REPL and further topics`() throws {
    let text = try #require(ManualPage()).text
    for part in [".Ss filter", ".Sh CUE SHEETS", ".Sh THE PROMPT", ".Xr segue\\-config 5"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `The page about settings covers settings, keys, variables, files and aliases`() throws {
    let text = WrittenPage.config.text
    for setting in SettingsTable.all {
      #expect(text.contains(".It Ic \(ManualText.argument(setting.name.rawValue))"), "\(setting.name)")
      if let variable = setting.environment { #expect(text.contains(".It Ev \(variable)"), "\(variable)") }
    }
    for part in [".It Ev SEGUE_CONFIG", "segue/config.toml", ".Ss Aliases", ".Ss Keys", "index.sqlite"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test(arguments: WrittenPage.allCases)
  func `A page contains all its tables, and has examples that parse`(page: WrittenPage) throws {
    let text = page.text
    #expect(text.split(separator: "\n").allSatisfy { $0.prefixMatch(of: /{[a-z]+}/) == nil })
    for block in text.components(separatedBy: "\n.Bd -literal").dropFirst() {
      let example = block.components(separatedBy: "\n.Ed")[0]
      try Examples.expectToParse(in: example.replacing("\\-", with: "-").replacing("\\(ti", with: "~"), indent: "")
    }
  }

  @Test func `The page describes each event, and each key of the status`() throws {
    let text = try #require(ManualPage()).text
    for kind in PlayerEvent.Kind.allCases { #expect(text.contains(".It Ic \(kind.rawValue)\n"), "\(kind)") }
    let queue = Examples.queue([Examples.track("a"), Examples.track("b")])
    let status = PlayerStatus(Examples.playing(queue, seconds: 1), queue: queue)
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(status)) as? [String: Any]
    for key in try #require(object).keys { #expect(text.contains(key), "\(key)") }
  }

  @Test func `A negated flag has a description of its own`() throws {
    let play = try #require(CommandDescription(of: PlayCommand.self))
    let flags = play.options
    #expect(flags["--no-plain"]?.abstract == "Turn off --plain, even if the settings turn it on.")
    #expect(flags["--plain"]?.abstract.hasPrefix("Print plain lines") == true)
    #expect(flags["--no-pager"] == nil)
    let albums = try #require(CommandDescription(of: AlbumsCommand.self)).options
    #expect(albums["--no-pager"]?.abstract.hasPrefix("Do not use a pager") == true)
  }

  @Test(arguments: [
    (".x -y", "\\&.x \\-y"), ("it's `a` \\n", "it\\(aqs \\(gaa\\(ga \\en"), ("~^", "\\(ti\\(ha"),
  ])
  func `Text is escaped so that it is not read as markup`(text: String, escaped: String) {
    #expect(ManualText.escaped(text) == escaped)
  }

  @Test func `Each sentence starts a line, and lines are short`() {
    #expect(ManualText.running("One. Two is . and 3; four.") == ["One.", "Two is \\&. and 3;", "four."])
    let long = ManualText.running(String(repeating: "word ", count: 40))
    #expect(long.count == 3 && long.allSatisfy { $0.count <= 80 })
  }
}

struct CommandHelpTests {
  @Test(arguments: [SegueCommand.self, ReplWord.self] as [any ParsableCommand.Type])
  func `Every command has examples that parse as that command`(root: any ParsableCommand.Type) throws {
    for command in try #require(CommandHelp.all(of: root)) {
      #expect(!command.examples.isEmpty, "\(command.path)")
      for example in command.examples {
        // What follows the command is for the shell.
        let line = [" | ", " > ", " < "].reduce(example) { $0.components(separatedBy: $1)[0] }
        let words = try LineTokenizer.words(line)
        #expect(words.starts(with: command.path.prefix(1)), "\(example)")
        let parsed = try root.parseAsRoot(words)
        let names = type(of: parsed).commandNames
        // A command with subcommands also shows their examples.
        if !command.hasSubcommands {
          #expect(names.contains(command.path.last ?? "") || command.path.last == "list", "\(example)")
        }
      }
    }
  }

  @Test func `Help shows the examples`() {
    #expect(PlayCommand.helpMessage(columns: 80).contains("play \"Miles Davis/Kind of Blue\" 3"))
    #expect(SegueCommand.helpMessage(for: NextCommand.self).contains("Example:\n"))
  }
}
