// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The REPL, with a script as its input and on a terminal.
  @Suite(.serialized) struct Repl {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func runScript(_ text: String, output: String = "raw:/dev/null") throws -> Playground.Outcome {
      try playground.segue("repl", "--output", output, input: text)
    }

    @Test func `Errors give their line number, the script continues, and the status is a failure`() throws {
      let outcome = try runScript(
        "# comment\n\nfrob\nvolume 200\nplay \"x\nplay nosuch\nseek 1:60\npause\nvolume\n")
      #expect(outcome.status == 1)
      #expect(outcome.lines == ["volume 100"])
      let prefixes = outcome.errors.split(separator: "\n").map {
        $0.split(separator: ":").prefix(2).joined(separator: ":")
      }
      #expect(prefixes == [3, 4, 5, 6, 7, 8].map { "segue: line \($0)" })
    }

    @Test(arguments: [
      "play \"ground and air\" 2\nqueue\nquit", "play 'ground and air' 2\r\nqueue\r\nquit\r\n",
      "play ground\\ and\\ air '2'\n queue \n\texit",
    ])
    func `Names can be quoted, and any line ending works`(text: String) throws {
      let outcome = try runScript(text, output: "silent")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(
        outcome.lines.first == "2/4 Canon in D, Part Two - The Clockwork Consort - Ground and Air (0:08)")
      #expect(outcome.lines.contains { $0.hasPrefix(">\t2\tCanon in D, Part Two") })
    }

    @Test func `After a script, playback continues to its end, unless it is paused`() throws {
      #expect(try runScript("play ground 4", output: "raw:end.raw").status == 0)
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:all.raw").status == 0)
      #expect(try playground.bytes("end.raw") == playground.bytes("all.raw"))
      let paused = try runScript("play ground\npause\nvolume 50\nvolume +5\nvolume", output: "silent")
      #expect(paused.status == 0 && paused.lines.last == "volume 55")
    }

    @Test func `Every playback command acts on the player`() throws {
      let outcome = try runScript(
        "play ground 2\nseek 0:02\nseek +1\nseek -10\nnext\nprevious\npause\nresume\nvolume -5\nvolume\nstop\nqueue\nquit",
        output: "silent")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.lines.contains("volume 95") && outcome.lines.last?.contains("\t4\tGymnop") == true)
    }

    @Test func `An output failure is reported, and determines the status`() throws {
      let outcome = try runScript("play ground", output: "nosuch")
      #expect(outcome.status == 6 && outcome.errors.contains("unknown output \"nosuch\""))
    }

    @Test func `A very long line and random input do no harm`() throws {
      let long = try runScript(String(repeating: "a", count: 1 << 20) + "\nvolume")
      #expect(long.status == 1 && long.lines == ["volume 100"])
      #expect(long.errors == "segue: line 1: too long: a line can have at most 65536 bytes\n")
      let noise = try playground.shell(
        "head -c 100000 /dev/urandom | $SEGUE repl --output silent; echo; echo alive")
      #expect(noise.status == 0 && noise.output.hasSuffix("alive\n"))
      #expect(try playground.shell("$SEGUE repl </").status == 1)
      #expect(try playground.segue("repl").status == 0)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `A signal ends a script during playback`(signal: Int32, status: Int32) throws {
      let outcome = try playground.shell(
        """
        echo 'play ground' >script; set -m; $SEGUE repl --output silent <script >out & p=$!
        until grep -q Canon out; do sleep 0.02; done; sleep 0.2; kill -\(signal) $p; wait $p
        """)
      #expect(outcome.status == status)
    }

    @Test func `On a terminal there are a prompt and a history, and Ctrl-D ends the REPL`() throws {
      let terminal = try TerminalSession(playground, ["repl", "--output", "silent"], isControlling: true)
      #expect(terminal.shows("> "))
      terminal.type("volume 30\r")
      terminal.discardOutput()
      // Wait for the prompt before typing: Ctrl-C and Ctrl-D have other meanings before it appears.
      terminal.type("play ground\r")
      #expect(terminal.shows("1/4 Canon in D, Part One", thenPrompt: "> "))
      terminal.type("nonsense")
      #expect(terminal.shows("nonsense"))
      terminal.discardOutput()
      terminal.type("\u{3}")
      #expect(terminal.shows("> "))
      terminal.type("queue\r")
      #expect(terminal.shows(">    1  Canon in D, Part One"))
      terminal.type("frob\r")
      #expect(terminal.shows("segue: unknown command \"frob\"", thenPrompt: "> "))
      terminal.type("\u{4}")
      #expect(terminal.exitStatus() == 0)
      #expect(terminal.isCooked)
      let history = String(decoding: try playground.bytes("state/history"), as: UTF8.self)
      #expect(history.contains("play") && history.contains("queue") && !history.contains("nonsense"))

      let secondTerminal = try TerminalSession(playground, ["repl", "--output", "silent"], isControlling: true)
      #expect(secondTerminal.shows("> "))
      secondTerminal.type("\u{1B}[A\u{1B}[A\r")
      #expect(secondTerminal.shows(">    1  Canon in D, Part One"))
      secondTerminal.type("quit\r")
      #expect(secondTerminal.exitStatus() == 0)
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `A signal at the prompt ends the REPL and restores the terminal`(signal: Int32, status: Int32) throws {
      let terminal = try TerminalSession(playground, ["repl", "--output", "silent"])
      #expect(terminal.shows("> "))
      terminal.type("play ground\r")
      #expect(terminal.shows("1/4 Canon"))
      #expect(eventually { !terminal.isCooked })
      terminal.send(signal)
      #expect(terminal.exitStatus() == status)
      #expect(terminal.isCooked)
    }
  }
}

extension ProgramTests {
  /// Completion with the Tab key in the REPL.
  @Suite(.serialized) struct Completion {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func start(columns: UInt16 = 80) throws -> TerminalSession {
      let terminal = try TerminalSession(
        playground, ["repl", "--output", "silent"], columns: columns, isControlling: true)
      #expect(terminal.shows("> "))
      return terminal
    }

    /// Cancels the line, and waits for the prompt: input before it would be lost.
    private func cancelLine(_ terminal: TerminalSession) {
      terminal.discardOutput()
      terminal.type("\u{3}")
      #expect(terminal.shows("> "))
    }

    private func quit(_ terminal: TerminalSession) {
      terminal.type("quit\r")
      #expect(terminal.exitStatus() == 0)
    }

    @Test func `Tab completes words, albums and tracks`() throws {
      let terminal = try start()
      terminal.type("albums\r")
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      terminal.discardOutput()
      terminal.type("play par\tENT\t\r")
      #expect(terminal.shows("5/5 The Entertainer", thenPrompt: "> "))
      terminal.type("play 日\tちょ\t\r")
      #expect(terminal.shows("3/3 ちょうちょう", thenPrompt: "> "))
      quit(terminal)
      let history = String(decoding: try playground.bytes("state/history"), as: UTF8.self)
      #expect(history.contains("\\040\"Parlour\\040Pieces\"\\040\"The\\040Entertainer\""))
    }

    @Test func `Filters narrow the completions, and are shown above listings`() throws {
      let terminal = try start()
      terminal.type("albums\r")
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      #expect(!terminal.text.contains("genre"))
      terminal.type("play \t\t")
      #expect(terminal.shows("Old Tunes, New Friends\r", thenPrompt: "segue> play "))
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "segue> play "))
      cancelLine(terminal)
      terminal.type("filter ge\trag\t\r")
      #expect(terminal.shows("lgenre Ragtime", thenPrompt: "> "))
      terminal.discardOutput()
      terminal.type("albums\r")
      #expect(terminal.shows("genre Ragtime", thenPrompt: "> "))
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      #expect(!terminal.text.contains("Old Tunes"))
      terminal.discardOutput()
      terminal.type("play \t\r")
      #expect(terminal.shows("1/5 Prelude in C", thenPrompt: "> "))
      terminal.type("albums artist:\t\t")
      #expect(terminal.shows("albums artist:"))
      cancelLine(terminal)
      quit(terminal)
      let outcome = try playground.segue(
        "repl", "--output", "silent", input: "filter genre Ragtime\nalbums\n")
      #expect(outcome.lines == ["genre Ragtime", "Music Box Theatre\tParlour Pieces\t2023\t5 tracks\t1:20"])
    }

    @Test func `A list of completions does not break a line of several rows`() throws {
      let terminal = try start(columns: 20)
      terminal.type("play \"a name that takes some rows\" 1; p")
      // Control sequences at the ends of rows come between the letters.
      let rowEnds = #/\u{1B}7.*?\u{1B}8/#.dotMatchesNewlines()
      #expect(eventually { terminal.text.replacing(rowEnds, with: "").contains("; p") })
      terminal.type("\u{1}p\t\t")
      #expect(terminal.shows("problems\r", thenPrompt: "1; p"))
      cancelLine(terminal)
      quit(terminal)
    }
  }
}
