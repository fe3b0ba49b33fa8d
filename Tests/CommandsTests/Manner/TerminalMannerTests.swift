// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Testing

@testable import Commands
@testable import Screens
@testable import Terminal
@testable import UserSettings

struct TerminalMannerTests {
  private static let terminal = TerminalFacts(isTerminal: true, term: "xterm", refusesColours: false)
  private static let pipe = TerminalFacts(isTerminal: false, term: "xterm", refusesColours: false)
  private static let dumb = TerminalFacts(isTerminal: true, term: "dumb", refusesColours: false)
  private static let refusing = TerminalFacts(isTerminal: true, term: "xterm", refusesColours: true)

  private static func manner(
    _ facts: TerminalFacts, _ wish: OutputStyleOverrides = OutputStyleOverrides(),
    settings: [SettingName: SettingValue] = [:]
  ) -> OutputStyle {
    OutputStyle(wish, Settings().choosing(settings), facts)
  }

  @Test func `By default, only terminals that can draw have colours`() {
    #expect(Self.manner(Self.terminal).hasColours)
    for facts in [Self.pipe, Self.dumb, Self.refusing] { #expect(!Self.manner(facts).hasColours) }
    #expect(!Self.manner(Self.terminal, OutputStyleOverrides(isPlain: true)).hasColours)
    #expect(!Self.manner(TerminalFacts(isTerminal: true, term: nil)).hasColours)
  }

  @Test func `always and never override everything else, wherever they are given`() {
    for facts in [Self.terminal, Self.pipe, Self.dumb, Self.refusing] {
      #expect(Self.manner(facts, OutputStyleOverrides(colour: .always)).hasColours)
      #expect(!Self.manner(facts, OutputStyleOverrides(colour: .never)).hasColours)
      #expect(Self.manner(facts, settings: [.color: .text("always")]).hasColours)
      #expect(!Self.manner(facts, settings: [.color: .text("never")]).hasColours)
    }
  }

  @Test func `An option comes before a setting`() {
    #expect(
      !Self.manner(Self.refusing, OutputStyleOverrides(colour: .auto), settings: [.color: .text("always")]).hasColours)
    #expect(
      Self.manner(Self.pipe, OutputStyleOverrides(colour: .always), settings: [.color: .text("never")]).hasColours)
    #expect(
      !Self.manner(Self.terminal, OutputStyleOverrides(isPlain: false), settings: [.plain: .flag(true)]).isPlain)
  }

  @Test func `The setting plain applies to terminals only, the option to pipes as well`() {
    let settings: [SettingName: SettingValue] = [.plain: .flag(true)]
    #expect(Self.manner(Self.terminal, settings: settings).isPlain)
    #expect(!Self.manner(Self.pipe, settings: settings).isPlain)
    #expect(Self.manner(Self.pipe, OutputStyleOverrides(isPlain: true)).isPlain)
  }

  @Test func `A dumb terminal is not drawn on, but keeps its listings`() {
    let manner = Self.manner(Self.dumb)
    #expect(!manner.draws && !manner.isPlain && manner.isASCII && manner.tellsProgress)
    #expect(Self.manner(Self.terminal).draws)
    #expect(!Self.manner(Self.terminal, OutputStyleOverrides(isPlain: true)).draws)
    #expect(!Self.manner(Self.pipe).draws)
  }

  @Test func `Options of a REPL line override those that the REPL was started with`() {
    let began = OutputStyleOverrides(colour: .never, isPlain: true, verbosity: .quiet)
    #expect(OutputStyleOverrides().before(began) == began)
    let line = OutputStyleOverrides(isPlain: false, verbosity: .normal).before(began)
    #expect(line == OutputStyleOverrides(colour: .never, isPlain: false, verbosity: .normal))
    #expect(!Self.manner(Self.terminal, line).isQuiet && Self.manner(Self.terminal, began).isQuiet)
  }

  @Test func `A style equals the one decoded from its code, and an unknown code is harmless`() {
    for facts in [Self.terminal, Self.pipe, Self.dumb] {
      for verbosity in Verbosity.allCases + [nil] {
        for isPlain in [true, false] {
          var manner = Self.manner(facts, OutputStyleOverrides(isPlain: isPlain, verbosity: verbosity))
          manner.isASCII = manner.isASCII
          #expect(OutputStyle(code: manner.code) == manner, "\(manner.code)")
        }
      }
    }
    let strange = OutputStyle(code: "x\u{1B} 日")
    #expect(!strange.isPlain && !strange.hasColours && strange.verbosity == nil)
  }

  @Test func `Options are parsed, and contradictory ones are an error`() throws {
    let options = try MannerOptions.parse(["--color", "always", "--no-plain", "--verbose"])
    #expect(try options.wish() == OutputStyleOverrides(colour: .always, isPlain: false, verbosity: .verbose))
    #expect(try MannerOptions.parse([]).wish() == OutputStyleOverrides())
    #expect(try MannerOptions.parse(["--no-quiet"]).wish().verbosity == .normal)
    for words in [["--quiet", "--verbose"], ["--color", "blue"]] {
      let error = #expect(throws: CommandError.self) { try MannerOptions.parse(words).wish() }
      #expect(error?.status == .usage)
    }
    let play = try PlayerOptions.parse(["--color", "never", "--plain", "--quiet"])
    #expect(try play.manner.wish() == OutputStyleOverrides(colour: .never, isPlain: true, verbosity: .quiet))
  }
}
