// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Testing

@testable import Commands

struct CommandGrammarTests {
  @Test(arguments: [SegueCommand.self, ReplWord.self] as [any ParsableCommand.Type])
  func `Each command has the options with which the tree of all commands declares it`(
    root: any ParsableCommand.Type
  ) throws {
    let grammar = CommandGrammar(root)
    for help in try #require(CommandHelp.all(of: root)) {
      var command = try #require(grammar.command(help.path[0]))
      for name in help.path.dropFirst() { command = try #require(command.command(name)) }
      let options = grammar.options(of: command)
      for option in help.options {
        for name in option.names where name.hasPrefix("--") {
          #expect(options[name]?.takesValue == (option.value != nil), "\(help.path) \(name)")
          #expect(options[name]?.abstract == option.abstract, "\(help.path) \(name)")
        }
      }
      #expect(command.commands.isEmpty != help.hasSubcommands, "\(help.path)")
    }
  }

  @Test func `A command of both grammars is completed alike in a shell and in the REPL`() {
    let source = FakeCompletions()
    let shell = WordCompleter(grammar: CommandGrammar(SegueCommand.self), source: source)
    let repl = WordCompleter(grammar: CommandGrammar(ReplWord.self), source: source)
    for type in SegueCommand.configuration.subcommands {
      guard ReplWord.configuration.subcommands.contains(where: { $0 == type }) else { continue }
      for name in type.commandNames {
        for word in ["", "-"] {
          let unfinished = UnfinishedWord(word, after: [name])
          #expect(shell.completion(of: unfinished).1 == repl.completion(of: unfinished).1, "\(name) \(word)")
        }
      }
    }
  }
}
