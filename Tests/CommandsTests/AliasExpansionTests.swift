// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort
import Testing

@testable import Commands
@testable import Screens
@testable import UserSettings

struct AliasExpansionTests {
  private static let expansion = AliasExpansion(
    aliases: [
      "jazz": .init(value: "play 'genre:jazz -live'", line: 1),
      "j": .init(value: "jazz --volume 50", line: 2),
      "a": .init(value: "b 1", line: 3), "b": .init(value: "a 2", line: 4), "me": .init(value: "me", line: 5),
      "play": .init(value: "stop", line: 6),
    ], commands: { ["play", "stop"] })

  @Test(arguments: [
    (["jazz"], ["play", "genre:jazz -live"]), (["jazz", "x y"], ["play", "genre:jazz -live", "x y"]),
    (["j", "--volume", "3"], ["play", "genre:jazz -live", "--volume", "50", "--volume", "3"]),
    (["play", "jazz"], ["play", "jazz"]), (["nosuch"], ["nosuch"]), ([], []),
  ])
  func `An alias is replaced by its words, but a command name never is`(words: [String], expanded: [String]) throws {
    #expect(try Self.expansion.expanded(words) == expanded)
  }

  @Test func `Aliases that expand to each other in a cycle are an error`() {
    let error = #expect(throws: PlayerError.self) { try Self.expansion.expanded(["a"]) }
    #expect(error == PlayerError(.usage, "alias \"a\" refers to itself: a → b → a"))
    #expect(throws: PlayerError.self) { try Self.expansion.expanded(["me"]) }
  }

  @Test func `The names of all commands and REPL words are known`() {
    for name in ["play", "queue", "config", "repl", "quit", "exit", "filter", "help"] {
      #expect(CommandName.all.contains(name))
    }
    #expect(!CommandName.all.contains(""))
  }
}
