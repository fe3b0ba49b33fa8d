// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The REPL in a terminal window.
  @Suite(.serialized) struct ReplScreen {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Opens a window, and starts a REPL in it.
    private func start(columns: Int = 80, rows: Int = 24, _ options: String = "") throws -> TerminalWindow {
      let window = try TerminalWindow(playground, columns: columns, rows: rows)
      try window.type("clear; segue repl --output silent \(options)\n")
      #expect(window.ends(with: "segue>"), "\(window.rows)")
      return window
    }

    /// Plays Für Elise and pauses it, so that the prompt does not change. Returns the start of the prompt, up to the
    /// elapsed time.
    private func playAndPause(_ window: TerminalWindow) throws -> String {
      try window.type("play parlour 2\n")
      #expect(eventually { window.rows.last?.hasPrefix("▶ 0:0") == true }, "\(window.rows)")
      try window.type("pause\n")
      #expect(eventually { window.rows.last?.hasPrefix("⏸ 0:0") == true }, "\(window.rows)")
      return String(window.rows.last?.prefix(6) ?? "")
    }

    @Test func `The REPL suggests valid commands`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; segue repl\n")
      #expect(
        window.ends(
          with: "Three things to try:", "  play \"Ground and Air\"  play an album",
          "  /                      search as you type",
          "  help                   list all commands; quit or Ctrl-D to exit",
          "segue>"), "\(window.rows)")
      try window.type("quit\n")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()))
      #expect(try playground.segue().output.contains("USAGE: segue"))
    }

    @Test func `Without any music it explains how to add some`() throws {
      try playground.directory.makeDirectory("empty")
      let window = try TerminalWindow(playground)
      try window.type("clear; SEGUE_LIBRARY=empty SEGUE_DATA_DIR=none segue repl --output silent\n")
      #expect(window.shows("  scan            add the music in /"), "\(window.rows)")
      try playground.directory.link("empty/album", to: Playground.canon.string)
      try window.type("scan\n")
      #expect(window.shows("  play \"Ground and Air\"  play an album"), "\(window.rows)")
    }

    @Test func `In plain style, options alone start the REPL, and the instructions without music are not truncated`()
      throws
    {
      let window = try TerminalWindow(playground)
      try window.type("clear; segue --library no-such-directory --data-dir none --plain\n")
      #expect(window.shows("no-such-directory does not exist."), "\(window.rows)")
      #expect(window.shows("music directory:"), "\(window.rows)")
      try window.type("\n")
      #expect(window.shows("set library=DIRECTORY --save: save another one"), "\(window.rows)")
      try window.type("quit\n")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()))
      try window.type("clear; segue repl --output silent --library no-such-directory --data-dir none\n")
      #expect(window.shows("music directory:"), "\(window.rows)")
      try window.press("C-d")
      #expect(window.shows("set library=DIRECTORY --save  save another one"), "\(window.rows)")
      try window.type("quit\n")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()))
      let outcome = try playground.segue("--plain", "play", "x")
      #expect(
        outcome.status == 2 && outcome.errors.contains("--plain must follow the command"), "\(outcome.errors)")
    }

    @Test func `An ambiguous name is resolved by number, in the REPL and in the shell`() throws {
      let window = try start()
      try window.type("play ground canon\n")
      #expect(window.shows("Type a number to choose one."), "\(window.rows)")
      #expect(window.shows("  2  02 Canon in D, Part Two"), "\(window.rows)")
      try window.type("2\n")
      #expect(window.shows("2/4 Canon in D, Part Two"), "\(window.rows)")
      // The number is valid only in the next line.
      try window.type("queue clear\n2\nquit\n")
      #expect(window.shows("unknown command \"2\""), "\(window.rows)")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()))
      try window.type("clear; NO_COLOR=1 segue play ground canon --output silent; echo left $?\n")
      #expect(window.shows("Which one? Number or arrow keys, or Enter for none:"), "\(window.rows)")
      try window.type("9\n")
      #expect(window.shows("1 to 3, or Enter for none:"), "\(window.rows)")
      try window.type("3\n")
      #expect(window.shows("▶ Canon in D, Part Three"), "\(window.rows)")
      try window.press("q")
      #expect(window.shows("left 0"), "\(window.rows)")
      try window.type("clear; segue play ground cano --output silent; echo left $?\n")
      #expect(window.shows("segue: \"cano\" matches"), "\(window.rows)")
      try window.type("\n")
      #expect(window.shows("left 4"), "\(window.rows)")
    }

    @Test func `Listings have headings, and numbers that the next command accepts`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; segue albums\n")
      #expect(window.shows("#  Artist"), "\(window.rows)")
      let rows = window.rows.filter { $0.contains(#/^[0-9]+  /#) }
      let number = try #require(rows.firstIndex { $0.contains("Parlour Pieces") }) + 1
      try window.type("clear; segue queue add \(number); segue queue\n")
      #expect(window.shows("added 5 tracks at 1-5: Parlour Pieces"), "\(window.rows)")
      #expect(eventually { window.rows.contains { $0.hasPrefix("   No.  Title") } }, "\(window.rows)")
      try window.type("clear; segue tracks title:lullaby --quiet; segue tracks title:lullaby; segue queue add 1\n")
      #expect(window.shows("added 1 track at 6: Lullaby"), "\(window.rows)")
      #expect(window.rows.count { $0.contains("Title") } == 1, "\(window.rows)")
      let lists = "export SEGUE_PLAYLISTS='\(playground["lists"])'; segue queue save Evening"
      try window.type("\(lists); clear; segue queue lists\n")
      #expect(window.shows("#  Playlist"), "\(window.rows)")
      try window.type("clear; segue queue load 1; segue queue add 1\n")
      #expect(window.shows("loaded 6 tracks: Evening"), "\(window.rows)")
      #expect(window.shows("added 6 tracks at 7-12: Evening"), "\(window.rows)")
      try window.type("clear; segue outputs\n")
      #expect(window.shows("Description"), "\(window.rows)")
      // Output for scripts is unchanged.
      #expect(try playground.segue("albums").output.hasPrefix("The Clockwork Consort\tGround and Air\t"))
    }

    @Test func `Verbose details do not disturb the view`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; NO_COLOR=1 segue play ground 4 --verbose --output silent; echo left $?\n")
      #expect(window.shows("q quit"), "\(window.rows)")
      #expect(try eventually { try playground.segue("pause").status == 0 })
      #expect(window.shows("‖ Gymnopédie No. 1"), "\(window.rows)")
      #expect(!window.rows.contains { $0.contains("library /") }, "\(window.rows)")
      try window.press("q")
      #expect(window.shows("left 0"), "\(window.rows)")
      #expect(window.rows.contains { $0.hasPrefix("index: ") }, "\(window.rows)")
    }

    @Test func `A changed setting is confirmed on a terminal, but not in a pipe`() throws {
      let window = try start()
      try window.type(
        "volume 50\nvolume +5\ncrossfade 6\ncrossfade off\nreplaygain track\nplay parlour\npause\nsleep 45m\nsleep off\n"
      )
      #expect(window.shows("no sleep timer is set"), "\(window.rows)")
      for line in ["volume 50", "volume 55", "crossfade 6 s", "no crossfade", "ReplayGain track"] {
        #expect(window.rows.contains(line), "\(line): \(window.rows)")
      }
      #expect(window.rows.contains { $0.hasPrefix("stops in 4") }, "\(window.rows)")
    }

    @Test func `The title of the window names the track, and comes back`() throws {
      let window = try TerminalWindow(playground)
      let title = try window.title
      try window.type("clear; segue play ground 4 --output silent\n")
      #expect(window.shows("q quit"), "\(window.rows)")
      #expect(try eventually { try playground.segue("pause").status == 0 })
      #expect(try eventually { try window.title.hasPrefix("Gymnopédie No. 1 · ") })
      try window.press("q")
      #expect(try eventually { try window.title == title })
    }

    @Test(arguments: [(20, ">"), (80, " Für Elise>"), (200, " Für Elise>")])
    func `The prompt shows the current track`(columns: Int, prompt: String) throws {
      let window = try start(columns: columns)
      let promptStart = try playAndPause(window)
      #expect(window.ends(with: promptStart + prompt), "\(window.rows)")
      try window.type("stop\n")
      #expect(window.ends(with: "segue>"), "\(window.rows)")
    }

    @Test func `Notices appear above the line, which stays intact`() throws {
      let window = try start(columns: 40)
      try window.type("play ground 1\n")
      #expect(window.shows("▶ 0:0"))
      try window.type("seek 6\n")
      #expect(eventually { window.rows.contains { $0.contains(#/▶ (0:0[6-9]|2\/4)/#) } }, "\(window.rows)")
      let line = "volume 100 and more words than one row has room for 日本"
      try window.type(line)
      #expect(window.shows("▶ 2/4 Canon in D, Part Two"))
      #expect(
        eventually {
          let rows = window.rows
          let text = rows.joined()
          return text.contains(#/▶ 0:0[1-9] Canon in D…> volume 100 and/#)
            && text.components(separatedBy: "volume 100").count == 2 && rows.last?.hasSuffix("日本") == true
        }, "\(window.rows)")
      try window.press("C-c")
      try window.type("stop\n")
      #expect(window.ends(with: "segue>"))
    }

    @Test func `With --quiet no track is announced, and with --plain nothing is redrawn`() throws {
      let window = try start("--quiet --plain")
      try window.type("play ground 3\n")
      #expect(window.shows("playing 0:00 Canon in D, Part Three>"))
      try window.type("next\n")
      // Each new prompt shows the current track.
      #expect(
        try eventually {
          try window.press("Enter")
          return window.rows.contains { $0.contains("Gymnop") }
        }, "\(window.rows)")
      let rows = window.rows
      #expect(!rows.contains { $0.contains("of 4") || $0.contains("/4") || $0.contains("▶") }, "\(rows)")
    }

    @Test func `On a dumb terminal only whole lines are printed`() throws {
      let window = try TerminalWindow(playground, term: "dumb")
      try window.type("segue repl --output silent\n")
      #expect(window.ends(with: "segue>"))
      try window.type("play ground 4\n")
      #expect(window.shows("4/4 Gymnop"), "\(window.rows)")
      // Nothing is redrawn: the next prompt shows the track.
      try window.type("\n")
      #expect(
        eventually { window.rows.contains { $0.hasPrefix("playing 0:") && $0.contains("Gymnop") } },
        "\(window.rows)")
      try window.type("stop\n")
      #expect(window.ends(with: "segue>"), "\(window.rows)")
    }

    @Test(arguments: [20, 80, 200])
    func `A slash starts a search as the user types, to play or add a track`(columns: Int) throws {
      let window = try start(columns: columns, rows: 8)
      try window.type("/")
      #expect(window.shows("type to search"))
      try window.type("elise")
      #expect(window.shows("Search: elise"), "\(window.rows)")
      #expect(window.shows("Für E"), "\(window.rows)")
      #expect(window.rows.allSatisfy { $0.count <= columns })
      try window.press("Escape")
      #expect(window.shows("? keys"), "\(window.rows)")
      try window.type("a")
      #expect(window.shows("added 1 track"), "\(window.rows)")
      try window.press("Escape")
      #expect(window.ends(with: "segue>"), "\(window.rows)")
      try window.type("queue --json\n")
      #expect(window.shows("Elise"))
      try window.type("clear\n")
      try window.press("C-u")
      try window.type("/")
      #expect(window.shows("type to search"))
      try window.type("lullaby")
      #expect(window.shows("Lull"))
      // On a narrow screen, what one types takes the place of the number of the row.
      #expect(eventually { columns < 30 || window.rows.contains { $0.hasSuffix(" 1/1") } }, "\(window.rows)")
      try window.press("Enter")
      #expect(window.shows("▶"), "\(window.rows)")
      try window.press("q")
      #expect(eventually { window.rows.last?.hasPrefix("▶ 0:") == true }, "\(window.rows)")
    }

    @Test func `A slash within a line is a character`() throws {
      let window = try start()
      try window.type("play a/b")
      #expect(window.ends(with: "segue> play a/b"))
    }

    @Test func `All pasted lines run when Enter is pressed`() throws {
      let window = try start()
      try window.paste("volume 40\nvolume 30\nvolume\n")
      #expect(window.ends(with: "segue> volume 40", "volume 30", "volume"), "\(window.rows)")
      try window.press("Enter")
      #expect(window.ends(with: "volume 30", "segue>"), "\(window.rows)")
    }

    @Test func `Ctrl-R finds earlier lines, and the user's key bindings work`() throws {
      try playground.directory.write(
        "bind -s ^T volume\nsegue:bind ^G ed-move-to-beg\n".utf8, to: "home/.editrc")
      let window = try start()
      try window.type("volume 35\n")
      #expect(window.ends(with: "segue> volume 35", "volume 35", "segue>"), "\(window.rows)")
      // While a command runs, the terminal itself would handle Ctrl-R.
      try window.type("volume\n")
      #expect(window.ends(with: "segue> volume", "volume 35", "segue>"), "\(window.rows)")
      try window.press("C-r")
      try window.type("me 3")
      #expect(window.shows("bck:me 3"))
      try window.press("Enter")
      #expect(window.ends(with: "segue> volume 35", "volume 35", "segue>"), "\(window.rows)")
      try window.press("C-t")
      #expect(window.ends(with: "segue> volume"), "\(window.rows)")
    }

    @Test func `Ctrl-C leaves the line, then stops playback, but never ends the REPL`() throws {
      let window = try start()
      _ = try playAndPause(window)
      try window.type("resume\n")
      #expect(eventually { window.rows.last?.contains(#/^▶ 0:\d\d Für Elise>$/#) == true }, "\(window.rows)")
      try window.type("half a line")
      #expect(window.shows("Für Elise> half a line"))
      try window.press("C-c")
      #expect(eventually { window.rows.last?.contains(#/^▶ 0:\d\d Für Elise>$/#) == true }, "\(window.rows)")
      try window.press("C-c")
      #expect(window.ends(with: "segue>"), "\(window.rows)")
      try window.press("C-c")
      #expect(window.ends(with: "Use quit or Ctrl-D to exit.", "segue>"), "\(window.rows)")
    }

    @Test func `Ctrl-Z gives the terminal to the shell, and fg restores the line`() throws {
      let window = try start()
      let promptStart = try playAndPause(window)
      for _ in 0..<2 {
        try window.press("C-z")
        #expect(window.shows("Stopped"))
        #expect(window.ends(with: "ready$"), "\(window.rows)")
        try window.type("clear; fg\n")
        #expect(eventually { window.rows.last?.hasPrefix(promptStart + " Für Elise>") == true }, "\(window.rows)")
      }
      try window.type("half é日本")
      #expect(window.ends(with: promptStart + " Für Elise> half é日本"))
      try window.press("C-z")
      #expect(window.ends(with: "ready$"), "\(window.rows)")
      try window.type("clear; fg\n")
      #expect(window.ends(with: promptStart + " Für Elise> half é日本"), "\(window.rows)")
    }

    @Test func `A resized window shows the line intact`() throws {
      let window = try start()
      _ = try playAndPause(window)
      try window.type("a line that needs some rows in a narrow window")
      #expect(window.shows("narrow window"))
      let line = "alinethatneedssomerowsinanarrowwindow"
      let fullPrompt = "FürElise>"
      // At some widths a row ends with a space, or the last row is exactly full after it was redrawn. If it is already
      // full when the terminal has rewrapped it, the cursor may be in that row or in the next one; no width tests that.
      // A changed prompt shows that the line was redrawn.
      for (columns, prompt) in [
        (20, ">"), (80, fullPrompt), (30, "FürE…>"), (200, fullPrompt), (15, ">"), (53, fullPrompt), (20, ">"),
        (65, fullPrompt), (29, "Für…>"), (40, fullPrompt), (31, "FürE…>"), (100, fullPrompt),
      ] {
        try window.resize(columns: columns)
        // Trailing spaces of a row are not captured. tmux rewraps the rows before it reports the resize, so only the
        // prompt shows that the line was redrawn.
        func shows(_ end: String) -> Bool {
          eventually {
            let text = window.rows.joined().filter { $0 != " " }
            return (0...9).contains { text.hasSuffix("⏸0:0\($0)" + end) }
              && text.components(separatedBy: "aline").count == 2
          }
        }
        #expect(shows(prompt + line), "\(columns): \(window.rows)")
        try window.type("s")
        #expect(shows(prompt + line + "s"), "\(columns): \(window.rows)")
        try window.press("BSpace")
        #expect(shows(prompt + line), "\(columns): \(window.rows)")
        // After a full row, the editor writes characters that leave no trace on the screen. Once the cursor has moved,
        // they have been written; resizing the window earlier would break the rows elsewhere.
        let endColumn = try window.cursorColumn
        try window.press("Left")
        #expect(try eventually { try window.cursorColumn != endColumn })
        try window.press("Right")
        #expect(try eventually { try window.cursorColumn == endColumn })
      }
      #expect(window.rows.suffix(2).first?.hasSuffix("pause") == true, "\(window.rows)")
    }
  }
}
