// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The settings file, as used by the built program.
  @Suite(.serialized) struct SettingsFile {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func writeSettings(_ text: String) throws {
      try playground.directory.write(Array(text.utf8), to: "home/.config/segue/config.toml")
    }

    @Test func `Without a file, the defaults apply without complaint`() throws {
      let outcome = try playground.segue("config")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.lines.contains { $0.hasPrefix("on-format-change") && $0.hasSuffix("default") })
      #expect(outcome.lines.contains { $0.hasPrefix("library") && $0.hasSuffix("$SEGUE_LIBRARY") })
      #expect(
        try playground.segue("config", "--path").lines == [playground["home"] + "/.config/segue/config.toml"])
    }

    @Test func `Each value is shown with its origin`() throws {
      try writeSettings("buffer = 400\nrate = 48000\ndepth = 24\n[aliases]\nst = \"status --json\"\n")
      let outcome = try playground.segue(
        "config", "--json", "--depth", "16", with: ["SEGUE_RATE": "96000", "SEGUE_LIBRARY": ""])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      for line in [
        #""key":"buffer","line":1,"origin":"file","value":400,"version":1}"#,
        #"{"key":"rate","origin":"environment","value":96000,"variable":"SEGUE_RATE","version":1}"#,
        #"{"key":"depth","option":"--depth","origin":"option","value":16,"version":1}"#,
        #"{"key":"library","origin":"default","version":1}"#,
        #""key":"aliases.st","line":5,"origin":"file","value":"status --json","version":1}"#,
      ] {
        #expect(outcome.lines.contains { $0.hasSuffix(line) }, "\(line)")
      }
      #expect(try playground.segue("config", "buffer").lines == ["400"])
      let wrong = try playground.segue("config", "bufer")
      #expect(
        wrong.status == 2 && wrong.errors == "segue: unknown setting \"bufer\"; did you mean \"buffer\"?\n")
      #expect(try playground.segue("config", "--buffer", "1").status == 2)
    }

    @Test func `Errors are reported with their line, and the other settings apply`() throws {
      try writeSettings("output = \"raw:out.raw\"\nouput = \"x\"\nbuffer = \"long\"\ndepth = 24\n")
      let outcome = try playground.segue("play", "ground", "1")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.split(separator: "\n") == [
          "segue: config.toml:2: unknown setting 'ouput' (did you mean 'output'?)",
          "segue: config.toml:3: buffer cannot be \"long\": use 50 to 4000 milliseconds",
        ])
      let byteCount = try playground.bytes("out.raw").count
      // An option takes precedence over the file.
      #expect(
        try playground.segue("play", "ground", "1", "--depth", "16", "--output", "raw:b.raw").status == 0)
      #expect(try playground.bytes("b.raw").count * 3 == byteCount * 2)
    }

    @Test func `An alias is a command, on the command line and in the REPL`() throws {
      try writeSettings(
        "[aliases]\nground = \"play ground\"\ng = \"ground 1 --output raw:g.raw\"\nme = \"me\"\nplay = \"stop\"\n"
      )
      let outcome = try playground.segue("g", "--depth", "16")
      #expect(outcome.status == 0)
      #expect(
        outcome.errors == "segue: config.toml:5: 'play' is a command: choose another name for the alias\n")
      #expect(try !playground.bytes("g.raw").isEmpty)
      let loop = try playground.segue("me")
      #expect(
        loop.status == 2 && loop.errors.hasSuffix("segue: alias \"me\" refers to itself: me → me\n"))
      let repl = try playground.segue("repl", "--output", "raw:r.raw", input: "ground 4\nqueue\nme\n")
      #expect(repl.status == 1 && repl.errors.contains("segue: line 3: alias \"me\" refers to itself"))
      #expect(repl.lines.contains { $0.contains("Gymnop") })
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:4.raw").status == 0)
      #expect(try playground.bytes("r.raw") == playground.bytes("4.raw"))
    }

    @Test func `The modes of a new queue come from the file, but stored ones take precedence`() throws {
      try writeSettings("[modes]\nrandom = \"albums\"\nconsume = true\n")
      #expect(try playground.segue("queue", "add", "ground").status == 0)
      #expect(try playground.segue("mode", "random").output.contains("albums"))
      #expect(try playground.segue("mode", "random", "off").status == 0)
      #expect(try playground.segue("mode", "random").output.contains("off"))
      #expect(try playground.segue("mode", "consume").output.contains("on"))
    }

    @Test func `Keys, volume step and colours come from the file, and a player outlives its terminal`() throws {
      try writeSettings(
        """
        output = "silent"
        volume-step = 3
        on-hangup = "keep"
        keys.next = "b"
        colours.title = "bold cyan"
        """)
      let view = try TerminalSession(playground, ["play", "ground"])
      #expect(view.shows("\u{1B}[1;36m▶") && view.shows("Canon in D, Part One"))
      view.type("?")
      #expect(view.shows("Go to the next track."))
      view.type("?"); view.type("b-")
      #expect(view.shows("Canon in D, Part Two") && view.shows(" 97%"))
      view.send(SIGHUP)
      #expect(eventually { (try? playground.segue("volume").status) == 0 })
      #expect(try playground.segue("next").status == 0)
      #expect(
        try eventually { try playground.segue("status").output.contains("Part Three") })
      #expect(view.text.components(separatedBy: "1;36m").allSatisfy { !$0.hasPrefix("Canon in D, Part Three") })
      _ = try playground.segue("stop")
      #expect(view.exitStatus() == 0)
    }

    @Test(arguments: [
      "mkdir -p ~/.config/segue/config.toml", "mkdir -p ~/.config/segue; mkfifo ~/.config/segue/config.toml",
      "mkdir -p ~/.config/segue; head -c 10000000 /dev/zero > ~/.config/segue/config.toml",
      "mkdir -p ~/.config/segue; head -c 60000 /dev/urandom > ~/.config/segue/config.toml",
      "mkdir -p ~/.config/segue; printf 'x = \"\\xff\"' > ~/.config/segue/config.toml",
      "mkdir -p ~/.config/segue; echo 'x = = 1' > ~/.config/segue/config.toml",
    ])
    func `An invalid file is reported in one line, and the program continues`(script: String) throws {
      let outcome = try playground.shell(script + #"; "$SEGUE" config buffer"#)
      #expect(outcome.status == 0 && outcome.output == "the driver's default\n")
      #expect(
        outcome.errors.hasPrefix("segue: config.toml") && outcome.errors.split(separator: "\n").count == 1)
    }
  }
}

extension ProgramTests {
  /// Invalid values of a player's options: each is refused with one line and a status before anything is played.
  @Suite(.serialized) struct Options {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: [
      (["--buffer", "49"], "invalid --buffer \"49\": use 50 to 4000 milliseconds"),
      (["--buffer", "4001"], "--buffer \"4001\""),
      (["--rate", "0"], "invalid --rate \"0\": use 8000 to 768000 Hz"), (["--rate", "768001"], "--rate \"768001\""),
      (["--rate", "cd"], "invalid --rate \"cd\""),
      (["--depth", "20"], "invalid --depth \"20\": use 16, 24 or 32 bits"),
      (["--on-format-change", "x"], "invalid --on-format-change \"x\": use reopen, resample"),
      (["--volume", "101"], "invalid --volume \"101\": use 0 to 100"),
      (["--volume=-1"], "invalid --volume \"-1\": use 0 to 100"),
      (["--replay-gain", "loud"], "invalid --replay-gain \"loud\": use off, track, album, auto"),
      (["--preamp", "52"], "invalid --preamp \"52\": use -51 to 51 dB"), (["--preamp", "nan"], "--preamp \"nan\""),
      (["--fallback-gain=-52"], "invalid --fallback-gain \"-52\": use -51 to 51 dB"),
      (["--clipping", "x"], "invalid --clipping \"x\": use peak, limiter, none"),
      (["--crossfade", "31"], "invalid --crossfade \"31\": use 0 to 30 seconds"),
      (["--crossfade", "nan"], "--crossfade \"nan\""),
      (["--crossfade-albums"], "--crossfade-albums requires --crossfade"),
      (["--sleep", "10"], "invalid sleep time \"10\": use 45m"), (["--sleep", "0s"], "invalid sleep time"),
      (["--sleep-after", "disc"], "invalid --sleep-after \"disc\": use chapter, track, album or queue"),
      (["--sleep", "1m", "--sleep-after", "track"], "not both"),
    ])
    func `An invalid value is refused with one line and a status`(options: [String], part: String) throws {
      let outcome = try playground.run(
        Playground.program.string, ["play", "ground", "--output", "raw:out.raw"] + options)
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty && outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.errors.hasPrefix("segue: ") && outcome.errors.contains(part), "\(outcome.errors)")
      #expect((try? playground.bytes("out.raw")) == nil)
    }

    @Test func `REPL commands show what they set, and refuse values out of range`() throws {
      let script = """
        replaygain
        replaygain album
        replaygain loud
        replaygain
        crossfade
        crossfade 5
        crossfade 31
        crossfade
        crossfade 2.5 --albums
        crossfade
        sleep
        sleep 5m
        play ground
        sleep --after disc
        sleep 5m --fade 4000
        sleep --after album
        sleep
        sleep off
        sleep
        quit
        """
      let outcome = try playground.segue("repl", "--output", "silent", input: script)
      #expect(outcome.status == 1)
      #expect(
        outcome.lines == [
          "ReplayGain off", "ReplayGain album", "no crossfade", "crossfade 5 s",
          "crossfade 2.5 s, also within albums",
          "no sleep timer is set",
          "1/4 Canon in D, Part One - The Clockwork Consort - Ground and Air (0:08)",
          "stops at the end of this album", "no sleep timer is set",
        ])
      #expect(try playground.segue("repl", "--volume", "101").status == 2)
      #expect(
        outcome.errors.split(separator: "\n") == [
          "segue: line 3: invalid replaygain \"loud\": use off, track, album, auto",
          "segue: line 7: invalid crossfade \"31\": use 0 to 30 seconds, or off",
          "segue: line 12: nothing is playing: play an album first",
          "segue: line 14: invalid --after \"disc\": use chapter, track, album or queue",
          "segue: line 15: invalid --fade \"4000.0\": use 0 to 3600 seconds",
        ])
    }
  }
}
