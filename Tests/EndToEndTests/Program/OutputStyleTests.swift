// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Tests of `--color`, `--plain`, `--quiet` and `--verbose`, in pipes and on terminals.
  @Suite(.serialized) struct OutputStyles {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Runs a command on a terminal, and returns its output.
    private func terminalOutput(_ arguments: [String], with variables: [String: String] = [:]) throws -> String {
      let terminal = try TerminalSession(Playground(playground, with: variables), arguments)
      #expect(terminal.exitStatus() == 0)
      return terminal.text
    }

    private func writeSettings(_ text: String) throws {
      try playground.directory.write(Array(text.utf8), to: "home/.config/segue/config.toml")
    }

    // MARK: --color

    @Test func `Colours are for terminals, subject to NO_COLOR, options and settings`() throws {
      let player = try TerminalSession(playground, ["play", "ground", "4", "--output", "silent"])
      #expect(player.shows("Gymnop"))
      player.send(SIGTERM)
      #expect(player.exitStatus() == 143)
      // The last played item is the current one, which is bold.
      let bold = "\u{1B}[1m"
      func isColouredInPipe(_ options: String..., with variables: [String: String] = [:]) throws -> Bool {
        let outcome = try playground.run(
          Playground.program.string, ["queue", "--no-pager"] + options, with: variables)
        #expect(outcome.status == 0 && outcome.output.contains("Gymnop"))
        return outcome.output.contains(bold)
      }
      func isColouredOnTerminal(_ options: String..., with variables: [String: String] = [:]) throws -> Bool {
        let text = try terminalOutput(["queue", "--no-pager"] + options, with: variables)
        #expect(text.contains("Gymnop"))
        return text.contains(bold)
      }
      #expect(try !isColouredInPipe() && isColouredInPipe("--color", "always"))
      #expect(try isColouredInPipe(with: ["SEGUE_COLOR": "always"]))
      #expect(try isColouredInPipe("--color=always", with: ["NO_COLOR": "1"]))
      #expect(try isColouredOnTerminal() && isColouredOnTerminal(with: ["NO_COLOR": ""]))
      #expect(try !isColouredOnTerminal(with: ["NO_COLOR": "1"]) && !isColouredOnTerminal(with: ["TERM": "dumb"]))
      #expect(try !isColouredOnTerminal("--color", "never") && !isColouredOnTerminal("--plain"))
      try writeSettings("color = \"always\"\n")
      #expect(try isColouredInPipe() && !isColouredInPipe("--color", "auto"))
      #expect(try !isColouredInPipe(with: ["SEGUE_COLOR": "never"]))
      let wrong = try playground.segue("queue", "--color", "blue")
      #expect(wrong.status == 2 && wrong.errors == "segue: invalid --color \"blue\": use auto, always, never\n")
    }

    @Test func `Escape sequences in tags are not printed`() throws {
      let tags = [
        ("TITLE", "\u{1B}[31mred\u{1B}]0;x\u{7}\u{9B}1m"), ("ARTIST", "\u{1B}[2J"), ("ALBUM", "a\u{1B}c"),
      ]
      try playground.directory.write(SoundBytes.flac(tags), to: "hostile/1.flac")
      #expect(try playground.segue("queue", "add", playground["hostile"]).status == 0)
      for options in [["--plain"], ["--color", "always"], ["--plain", "--color", "always", "--verbose"]] {
        let outcome = try playground.run(
          Playground.program.string, ["tracks", "--library", playground["hostile"]] + options)
        #expect(outcome.status == 0 && outcome.output.contains("red"))
        #expect(!outcome.output.contains("\u{1B}") && !outcome.errors.contains("\u{1B}"), "\(outcome.output)")
      }
      let queue = try playground.segue("queue", "--color", "always", "--plain").output
      #expect(queue.contains("red") && !queue.contains("\u{1B}[31m") && !queue.contains("\u{1B}]"))
    }

    // MARK: --plain

    @Test func `Plain listings have one line per entry, on terminals and in pipes`() throws {
      let line = "Ground and Air; artist: The Clockwork Consort; year: 2024; 4 tracks; time: 46 seconds"
      #expect(try playground.segue("albums", "--plain", "ground").lines == [line])
      #expect(try terminalOutput(["albums", "--plain", "ground"]) == "1: \(line)\r\n")
      try writeSettings("plain = true\n")
      #expect(try playground.segue("albums", "ground").output.contains("Air\t2024"))
      #expect(try terminalOutput(["albums", "ground"]) == "1: \(line)\r\n")
      #expect(try terminalOutput(["albums", "ground", "--no-plain"]).contains("Consort  Ground"))
      #expect(
        try terminalOutput(["albums", "ground"], with: ["SEGUE_PLAIN": "0", "TERM": "dumb"]).contains("  2024  "))
      #expect(try playground.segue("mode", "random", "--plain").lines == ["random: off"])
      #expect(
        try playground.segue("config", "--plain").lines.contains {
          $0.hasPrefix("plain: true; from: --plain")
        })
      #expect(try playground.segue("outputs", "--plain").lines.contains("silent; No sound, in real time"))
    }

    @Test(arguments: [["--plain"], []])
    func `Without drawing, playback is reported in lines, and keys work`(options: [String]) throws {
      let styledPlayground = options.isEmpty ? Playground(playground, with: ["TERM": "dumb"]) : playground
      let terminal = try TerminalSession(styledPlayground, ["play", "ground", "3", "--output", "silent"] + options)
      let announcement =
        options.isEmpty
        ? "3/4 Canon in D, Part Three - The Clockwork Consort - Ground and Air (0:09)\r\n"
        : "playing 3 of 4: Canon in D, Part Three; artist: The Clockwork Consort; album: Ground and Air; time: 9 seconds\r\n"
      #expect(terminal.shows(announcement))
      terminal.type(" ")
      #expect(terminal.shows("paused\r\n"))
      terminal.type("-?")
      #expect(terminal.shows("volume 95\r\n") && terminal.shows("space or p: Pause or resume.\r\n"))
      terminal.type(" >")
      #expect(terminal.shows("Gymnop"))
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
      #expect(terminal.isCooked && !terminal.text.contains("\u{1B}"), "\(terminal.text)")
    }

    @Test func `A player answers in the output style of the client`() throws {
      let player = try TerminalSession(playground, ["play", "ground", "3", "--output", "silent"])
      #expect(player.shows("Canon in D, Part Three"))
      #expect(try eventually { try playground.segue("volume").status == 0 })
      #expect(try playground.segue("pause").status == 0)
      let plain = try playground.segue("status", "--plain")
      #expect(plain.lines.first == "paused: Canon in D, Part Three", "\(plain.output)")
      #expect(plain.lines.contains("track: 3 of 4"))
      #expect(try playground.segue("status").output.hasPrefix("‖ Canon in D"))
      #expect(try playground.segue("status", "--color", "always").output.hasPrefix("\u{1B}[1m‖ Canon"))
      #expect(try terminalOutput(["status"], with: ["TERM": "dumb"]).hasPrefix("paused: Canon"))
      let quiet = try playground.segue("queue", "add", "parlour", "--quiet")
      #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
      let verbose = try playground.segue("queue", "add", "parlour", "--verbose")
      #expect(verbose.output == "added 5 tracks at 10-14: Parlour Pieces\n")
      #expect(verbose.errors.contains("player: ") && verbose.errors.contains("02 Fur Elise.mp3\n"))
      player.type("q")
      #expect(player.exitStatus() == 0)
    }

    @Test func `now prints plain lines instead of drawing`() throws {
      let repl = try TerminalSession(playground, ["repl", "--output", "silent", "--plain"])
      #expect(repl.shows("segue> "))
      #expect(repl.text.contains("play \"Ground and Air\": play an album\r\n"))
      repl.type("play ground 3\n")
      #expect(repl.shows("playing 3 of 4: Canon", thenPrompt: "> "))
      repl.type("pause\n")
      #expect(repl.shows("pause\r\n", thenPrompt: "paused 0:0"))
      repl.type("now\n")
      #expect(repl.shows("paused: Canon in D, Part Three\r\n", thenPrompt: "> "))
      #expect(repl.text.contains("next: Gymnop"))
      repl.type("queue --no-plain --limit 1\n")
      #expect(repl.shows("Canon in D, Part One  "))
      repl.type("quit\n")
      #expect(repl.exitStatus() == 0)
    }

    // MARK: --quiet and --verbose

    @Test func `Quiet style suppresses all but errors and requested output`() throws {
      for words in [
        ["scan"], ["queue", "add", "ground"], ["mode", "repeat", "all"], ["queue", "undo"],
        ["mode", "repeat", "off"], ["play", "ground", "4", "--output", "raw:out.raw"], ["queue", "clear"],
      ] {
        let outcome = try playground.run(Playground.program.string, words + ["--quiet"])
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(words)")
      }
      #expect(try playground.segue("mode", "repeat", "--quiet").output == "repeat  off\n")
      let wrong = try playground.segue("play", "nosuch", "--quiet")
      #expect(wrong.status == 3 && wrong.errors.hasPrefix("segue: no album or track title matches"))
      let both = try playground.segue("albums", "--quiet", "--verbose")
      #expect(both.status == 2 && both.errors == "segue: use --quiet or --verbose, not both\n")
      let quietTerminal = try TerminalSession(
        playground, ["play", "ground", "4", "--output", "silent", "--quiet"])
      #expect(try eventually { try playground.segue("status").output.contains("Gymnop") })
      quietTerminal.type("q")
      #expect(quietTerminal.exitStatus() == 0 && quietTerminal.text.isEmpty, "\(quietTerminal.text)")
    }

    @Test func `Verbose style prints details on standard error`() throws {
      let scan = try playground.segue("scan", "--verbose", "--data-dir", playground["other"])
      #expect(scan.status == 0 && scan.output == "16 added\n")
      let errors = scan.errors.split(separator: "\n")
      #expect(errors.count { $0.hasPrefix("added /") } == 16)
      #expect(errors.first == "settings: \(playground["home"])/.config/segue/config.toml (not found)")
      #expect(errors.contains { $0.hasPrefix("index: \(playground["other"]), library ") })
      let play = try playground.segue("play", "ground", "4", "--output", "raw:out.raw", "--verbose")
      #expect(play.output == "4/4 Gymnopédie No. 1 - The Clockwork Consort - Ground and Air (0:20)\n")
      #expect(
        play.errors.contains("decoding: ") && play.errors.contains("output: out.raw, 16 bits, 44100 Hz"))
      #expect(play.errors.contains("queue: \(playground["state"])\n"), "\(play.errors)")
      let names = (1...25).map { "gone\($0).flac\n" }.joined()
      try playground.directory.write(Array(names.utf8), to: "list.m3u")
      #expect(try playground.segue("queue", "load", "list.m3u").errors.contains("… and 5 more"))
      let all = try playground.segue("queue", "load", "list.m3u", "--verbose").errors
      #expect(all.contains("gone25.flac") && !all.contains("more that cannot"))
      #expect(try playground.segue("albums", "--quiet", "ground").lines.count == 1)
    }

    @Test func `Every visible command accepts the style options`() throws {
      let script = """
        commands=$("$SEGUE" help | sed -n 's/^  \\([a-z]*\\)  .*/\\1/p')
        for c in $commands "queue list" "queue add" "playlist list" "playlist show"; do
          "$SEGUE" help $c | grep -q -e --plain || echo "$c"
        done
        """
      let missing = try playground.shell(script).lines
      #expect(
        Set(missing) == ["queue", "playlist", "ratings", "history", "scrobble", "equalizer", "outputs"], "\(missing)")
    }
  }
}

extension ProgramTests {
  /// Output in a locale that does not use UTF-8.
  @Suite(.serialized) struct ASCII {
    private let playground: Playground

    /// Creates music with ASCII names, so that other characters could only come from the program.
    init() throws {
      playground = try Playground(
        Playground(),
        with: [
          "LC_ALL": "C", "TERM": "xterm-256color", "SEGUE_LIBRARY": "music", "SEGUE_PLAYING_SIDE": "queue",
        ])
      for name in ["01 Canon in D, Part One", "02 Canon in D, Part Two", "03 Canon in D, Part Three"] {
        let file = Playground.canon.appending("\(name).flac")
        try playground.directory.write(try contents(of: file), to: "music/ground/\(name).flac")
      }
      try playground.directory.write(
        try contents(of: Playground.canon.appending("cover.jpg")), to: "music/ground/cover.jpg")
    }

    private func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    @Test func `The view has ASCII symbols at every width`() throws {
      for columns in [20, 80] as [UInt16] {
        let terminal = try TerminalSession(
          playground, ["play", "ground", "--output", "silent", "--volume", "50"], columns: columns)
        #expect(terminal.shows("playing") && terminal.shows("Canon"))
        terminal.type("mmmm")
        #expect(eventually { terminal.text.contains(#/-\d+\.\d/#) })
        terminal.type("?")
        #expect(terminal.shows("Change"))
        terminal.type("?")
        terminal.type(" ")
        #expect(terminal.shows("aused"))
        terminal.type("q")
        #expect(terminal.exitStatus() == 0)
        #expect(isASCII(terminal.text), "\(terminal.text)")
      }
    }

    @Test func `The prompt, the search, messages, completions and truncated listings are ASCII`()
      throws
    {
      let terminal = try TerminalSession(playground, ["repl", "--output", "silent"], columns: 40)
      #expect(terminal.shows("segue> "))
      terminal.type("/")
      #expect(terminal.shows("up/down select"))
      terminal.type("canon")
      #expect(terminal.shows("canon_"))
      terminal.type("\u{1B}")
      #expect(terminal.shows("? keys"))
      terminal.discardOutput()
      terminal.type("\u{1B}")
      #expect(terminal.shows("segue> "))
      terminal.type("play ground 1\n")
      #expect(terminal.shows("playing 0:00"))
      for line in [
        "queue --no-pager", "tracks --no-pager", "search --no-pager canon", "status", "mode repeat all",
        "albums",
      ] {
        terminal.discardOutput()
        terminal.type("\(line)\n")
        #expect(terminal.shows("> "))
        terminal.type("\t\t")
        #expect(isASCII(terminal.text), "\(line): \(terminal.text)")
        terminal.type("\u{15}")
      }
      terminal.type("seek 4\n")
      terminal.discardOutput()
      terminal.type("now\n")
      #expect(terminal.shows("? keys"))
      terminal.type("q")
      // The next track starts meanwhile, and is announced above the line.
      #expect(terminal.shows("playing 2/3 Canon"))
      terminal.type("quit\n")
      #expect(terminal.exitStatus() == 0)
      #expect(isASCII(terminal.text), "\(terminal.text)")
    }

    @Test(arguments: [
      ["queue"], ["tracks"], ["status"], ["search", "canon"], ["help"], ["help", "queue"], ["nonsense"],
      ["config"],
      ["outputs"], ["play", "nothing of the kind"], ["gain", "--dry-run"],
      ["queue", "play", "99"],
    ])
    func `Output is only ASCII, on a terminal or in a pipe`(arguments: [String]) throws {
      #expect(try playground.segue("queue", "add", "ground").status == 0)
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(isASCII(outcome.output) && isASCII(outcome.errors), "\(outcome.output) \(outcome.errors)")
      let terminal = try TerminalSession(
        playground, arguments + (arguments[0] == "queue" ? ["--no-pager"] : []), columns: 30)
      _ = terminal.exitStatus()
      #expect(isASCII(terminal.text), "\(terminal.text)")
    }
  }
}
