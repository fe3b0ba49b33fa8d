// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort
import Testing

@testable import Commands
@testable import Screens
@testable import Terminal
@testable import UserSettings

struct OutputStyleTests {
  private static let terminal = TerminalProperties(isTerminal: true, term: "xterm", refusesColours: false)
  private static let pipe = TerminalProperties(isTerminal: false, term: "xterm", refusesColours: false)
  private static let dumb = TerminalProperties(isTerminal: true, term: "dumb", refusesColours: false)
  private static let noColour = TerminalProperties(isTerminal: true, term: "xterm", refusesColours: true)

  private static func style(
    _ terminal: TerminalProperties, _ overrides: OutputStyleOverrides = OutputStyleOverrides(),
    settings: [SettingName: SettingValue] = [:]
  ) -> OutputStyle {
    OutputStyle(overrides, Settings().overriding(with: settings), terminal)
  }

  @Test func `By default, only terminals that can draw have colours`() {
    #expect(Self.style(Self.terminal).hasColours)
    for terminal in [Self.pipe, Self.dumb, Self.noColour] { #expect(!Self.style(terminal).hasColours) }
    #expect(!Self.style(Self.terminal, OutputStyleOverrides(isPlain: true)).hasColours)
    #expect(!Self.style(TerminalProperties(isTerminal: true, term: nil)).hasColours)
  }

  @Test(arguments: ["vt100", "vt220", "xterm-mono", "ansi-m"])
  func `A terminal without colours gets none, but can draw`(term: String) {
    let style = Self.style(TerminalProperties(isTerminal: true, term: term))
    #expect(style.draws && !style.hasColours)
    #expect(Self.style(TerminalProperties(isTerminal: true, term: "vt525")).hasColours)
  }

  @Test func `always and never override everything else, wherever they are given`() {
    for terminal in [Self.terminal, Self.pipe, Self.dumb, Self.noColour] {
      #expect(Self.style(terminal, OutputStyleOverrides(colour: .always)).hasColours)
      #expect(!Self.style(terminal, OutputStyleOverrides(colour: .never)).hasColours)
      #expect(Self.style(terminal, settings: [.color: .text("always")]).hasColours)
      #expect(!Self.style(terminal, settings: [.color: .text("never")]).hasColours)
    }
  }

  @Test func `An option comes before a setting`() {
    #expect(
      !Self.style(Self.noColour, OutputStyleOverrides(colour: .auto), settings: [.color: .text("always")]).hasColours)
    #expect(
      Self.style(Self.pipe, OutputStyleOverrides(colour: .always), settings: [.color: .text("never")]).hasColours)
    #expect(
      !Self.style(Self.terminal, OutputStyleOverrides(isPlain: false), settings: [.plain: .flag(true)]).isPlain)
  }

  @Test func `The setting plain applies to terminals only, the option to pipes as well`() {
    let settings: [SettingName: SettingValue] = [.plain: .flag(true)]
    #expect(Self.style(Self.terminal, settings: settings).isPlain)
    #expect(!Self.style(Self.pipe, settings: settings).isPlain)
    #expect(Self.style(Self.pipe, OutputStyleOverrides(isPlain: true)).isPlain)
  }

  @Test func `A dumb terminal is not drawn on, but keeps its listings`() {
    let style = Self.style(Self.dumb)
    #expect(!style.draws && !style.isPlain && style.isASCII && style.showsProgress)
    #expect(Self.style(Self.terminal).draws)
    #expect(!Self.style(Self.terminal, OutputStyleOverrides(isPlain: true)).draws)
    #expect(!Self.style(Self.pipe).draws)
  }

  @Test func `Options of a REPL line override those that the REPL was started with`() {
    let initial = OutputStyleOverrides(colour: .never, isPlain: true, verbosity: .quiet)
    #expect(OutputStyleOverrides().merging(over: initial) == initial)
    let line = OutputStyleOverrides(isPlain: false, verbosity: .normal).merging(over: initial)
    #expect(line == OutputStyleOverrides(colour: .never, isPlain: false, verbosity: .normal))
    #expect(!Self.style(Self.terminal, line).isQuiet && Self.style(Self.terminal, initial).isQuiet)
  }

  @Test func `Options are parsed, and contradictory ones are an error`() throws {
    let options = try OutputStyleOptions.parse(["--color", "always", "--no-plain", "--verbose"])
    #expect(try options.overrides() == OutputStyleOverrides(colour: .always, isPlain: false, verbosity: .verbose))
    #expect(try OutputStyleOptions.parse([]).overrides() == OutputStyleOverrides())
    #expect(try OutputStyleOptions.parse(["--no-quiet"]).overrides().verbosity == .normal)
    for words in [["--quiet", "--verbose"], ["--color", "blue"]] {
      let error = #expect(throws: PlayerError.self) { try OutputStyleOptions.parse(words).overrides() }
      #expect(error?.status == .usage)
    }
    let play = try PlayerOptions.parse(["--color", "never", "--plain", "--quiet"])
    #expect(try play.outputStyle.overrides() == OutputStyleOverrides(colour: .never, isPlain: true, verbosity: .quiet))
  }
}
