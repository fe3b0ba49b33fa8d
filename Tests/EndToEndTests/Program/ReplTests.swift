// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The REPL, reading a script and on a terminal.
  @Suite(.serialized) struct Repl {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func script(_ text: String, output: String = "raw:/dev/null") throws -> Playground.Outcome {
      try playground.segue("repl", "--output", output, input: text)
    }

    @Test func `Errors name their line, the script continues, and the status is a failure`() throws {
      let outcome = try script(
        "# comment\n\nfrob\nvolume 200\nplay \"x\nplay nosuch\nseek 1:60\npause\nvolume\n")
      #expect(outcome.status == 1)
      #expect(outcome.lines == ["volume 100"])
      let places = outcome.errors.split(separator: "\n").map {
        $0.split(separator: ":").prefix(2).joined(separator: ":")
      }
      #expect(places == [3, 4, 5, 6, 7, 8].map { "segue: line \($0)" })
    }

    @Test(arguments: [
      "play \"ground and air\" 2\nqueue\nquit", "play 'ground and air' 2\r\nqueue\r\nquit\r\n",
      "play ground\\ and\\ air '2'\n queue \n\texit",
    ])
    func `Names can be quoted, and any line end works`(text: String) throws {
      let outcome = try script(text, output: "silent")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(
        outcome.lines.first == "2/4 Canon in D, Part Two - The Clockwork Consort - Ground and Air (0:08)")
      #expect(outcome.lines.contains { $0.hasPrefix(">\t2\tCanon in D, Part Two") })
    }

    @Test func `After a script, playback continues to its end, unless it is paused`() throws {
      #expect(try script("play ground 4", output: "raw:end.raw").status == 0)
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:all.raw").status == 0)
      #expect(try playground.bytes("end.raw") == playground.bytes("all.raw"))
      let paused = try script("play ground\npause\nvolume 50\nvolume +5\nvolume", output: "silent")
      #expect(paused.status == 0 && paused.lines.last == "volume 55")
    }

    @Test func `Every word acts on the player`() throws {
      let outcome = try script(
        "play ground 2\nseek 0:02\nseek +1\nseek -10\nnext\nprevious\npause\nresume\nvolume -5\nvolume\nstop\nqueue\nquit",
        output: "silent")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.lines.contains("volume 95") && outcome.lines.last?.contains("\t4\tGymnop") == true)
    }

    @Test func `An output failure is reported, and determines the status`() throws {
      let outcome = try script("play ground", output: "nosuch")
      #expect(outcome.status == 6 && outcome.errors.contains("unknown output \"nosuch\""))
    }

    @Test func `An endless line and random input do no harm`() throws {
      let long = try script(String(repeating: "a", count: 1 << 20) + "\nvolume")
      #expect(long.status == 1 && long.lines == ["volume 100"])
      #expect(long.errors == "segue: line 1: too long: a line can have 65536 bytes\n")
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

    @Test func `On a terminal there are a prompt, a history, and an end with Ctrl-D`() throws {
      let terminal = try TerminalSession(playground, ["repl", "--output", "silent"], isControlling: true)
      #expect(terminal.shows("> "))
      terminal.type("volume 30\r")
      terminal.forget()
      // Wait for the prompt before typing: Ctrl-C and Ctrl-D have other meanings until then.
      terminal.type("play ground\r")
      #expect(terminal.shows("1/4 Canon in D, Part One", thenPrompt: "> "))
      terminal.type("nonsense")
      #expect(terminal.shows("nonsense"))
      terminal.forget()
      terminal.type("\u{3}")
      #expect(terminal.shows("> "))
      terminal.type("queue\r")
      #expect(terminal.shows(">    1  Canon in D, Part One"))
      terminal.type("frob\r")
      #expect(terminal.shows("segue: unknown command \"frob\"", thenPrompt: "> "))
      terminal.type("\u{4}")
      #expect(terminal.end() == 0)
      #expect(terminal.isCooked)
      let history = String(decoding: try playground.bytes("state/history"), as: UTF8.self)
      #expect(history.contains("play") && history.contains("queue") && !history.contains("nonsense"))

      let second = try TerminalSession(playground, ["repl", "--output", "silent"], isControlling: true)
      #expect(second.shows("> "))
      second.type("\u{1B}[A\u{1B}[A\r")
      #expect(second.shows(">    1  Canon in D, Part One"))
      second.type("quit\r")
      #expect(second.end() == 0)
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `A signal at the prompt ends the REPL and restores the terminal`(signal: Int32, status: Int32) throws {
      let terminal = try TerminalSession(playground, ["repl", "--output", "silent"])
      #expect(terminal.shows("> "))
      terminal.type("play ground\r")
      #expect(terminal.shows("1/4 Canon"))
      #expect(eventually { !terminal.isCooked })
      terminal.send(signal)
      #expect(terminal.end() == status)
      #expect(terminal.isCooked)
    }
  }
}

extension ProgramTests {
  /// The Tab key in the REPL.
  @Suite(.serialized) struct Completion {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func start(columns: UInt16 = 80) throws -> TerminalSession {
      let terminal = try TerminalSession(
        playground, ["repl", "--output", "silent"], columns: columns, isControlling: true)
      #expect(terminal.shows("> "))
      return terminal
    }

    /// Leaves the line, and waits for the prompt: input before that would be lost.
    private func leaveLine(_ terminal: TerminalSession) {
      terminal.forget()
      terminal.type("\u{3}")
      #expect(terminal.shows("> "))
    }

    private func end(_ terminal: TerminalSession) {
      terminal.type("quit\r")
      #expect(terminal.end() == 0)
    }

    @Test func `Tab completes words, albums and tracks`() throws {
      let terminal = try start()
      terminal.type("albums\r")
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      terminal.forget()
      terminal.type("pl\tpar\tENT\t\r")
      #expect(terminal.shows("5/5 The Entertainer", thenPrompt: "> "))
      terminal.type("play 日\tちょ\t\r")
      #expect(terminal.shows("3/3 ちょうちょう", thenPrompt: "> "))
      end(terminal)
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
      leaveLine(terminal)
      terminal.type("filter ge\trag\t\r")
      #expect(terminal.shows("lgenre Ragtime", thenPrompt: "> "))
      terminal.forget()
      terminal.type("albums\r")
      #expect(terminal.shows("genre Ragtime", thenPrompt: "> "))
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      #expect(!terminal.text.contains("Old Tunes"))
      terminal.forget()
      terminal.type("play \t\r")
      #expect(terminal.shows("1/5 Prelude in C", thenPrompt: "> "))
      terminal.type("albums artist:\t\t")
      #expect(terminal.shows("albums artist:"))
      leaveLine(terminal)
      end(terminal)
      let outcome = try playground.segue(
        "repl", "--output", "silent", input: "filter genre Ragtime\nalbums\n")
      #expect(outcome.lines == ["genre Ragtime", "Music Box Theatre\tParlour Pieces\t2023\t5 tracks\t1:20"])
    }

    @Test func `A list of completions does not break a line of several rows`() throws {
      let terminal = try start(columns: 20)
      terminal.type("play \"a name that takes some rows\" 1; p")
      // The ends of rows are written between the letters.
      let ends = #/\u{1B}7.*?\u{1B}8/#.dotMatchesNewlines()
      #expect(eventually { terminal.text.replacing(ends, with: "").contains("; p") })
      terminal.type("\u{1}p\t\t")
      #expect(terminal.shows("problems\r", thenPrompt: "1; p"))
      leaveLine(terminal)
      end(terminal)
    }
  }
}
