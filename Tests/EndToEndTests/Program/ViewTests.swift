// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing
import UnicodeText

extension ProgramTests {
  /// The now-playing view on a terminal.
  @Suite(.serialized) struct View {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func play(
      _ arguments: [String] = ["ground", "4"], to output: String = "silent", columns: UInt16 = 80,
      isControlling: Bool = false
    ) throws -> TerminalSession {
      try TerminalSession(
        playground, ["play"] + arguments + ["--output", output], columns: columns,
        isControlling: isControlling)
    }

    /// Waits until the terminal is restored and the view is closed, since a program's output may arrive after its end;
    /// returns false if that never happens.
    private func isViewClosed(_ terminal: TerminalSession) -> Bool {
      terminal.isCooked
        && eventually {
          let end = terminal.text.components(separatedBy: "\u{1B}[?1049h").last ?? ""
          return end.contains("\u{1B}[?25h\u{1B}[?1049l")
        }
    }

    @Test(
      arguments: [
        ("q", 0, true), ("\u{3}", 130, true), ("\u{1C}", 131, true), ("\u{1B}q", 0, true),
      ] as [(String, Int32, Bool)])
    func `A key ends the view and restores the terminal`(key: String, status: Int32, isControlling: Bool) throws {
      let terminal = try play(isControlling: isControlling)
      #expect(terminal.shows("Gymnopédie No. 1"))
      #expect(!terminal.isCooked)
      terminal.type(key)
      #expect(terminal.exitStatus() == status)
      #expect(isViewClosed(terminal))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
    func `A signal ends the view and restores the terminal`(signal: Int32, status: Int32) throws {
      let terminal = try play()
      #expect(terminal.shows("Gymnopédie No. 1"))
      terminal.send(signal)
      #expect(terminal.exitStatus() == status)
      #expect(isViewClosed(terminal))
    }

    @Test func `A signal at the very start leaves the terminal restored`() throws {
      for _ in 0..<8 {
        let terminal = try play()
        #expect(terminal.shows("\u{1B}[?1049h"))
        terminal.send(SIGTERM)
        #expect(terminal.exitStatus() == 143)
        #expect(isViewClosed(terminal))
      }
    }

    @Test func `A failed lookup is reported without the screen`() throws {
      let terminal = try play(["nosuch"])
      #expect(terminal.exitStatus() == 3)
      #expect(terminal.isCooked && !terminal.text.contains("[?1049h"))
      #expect(terminal.text.contains("segue: no album or track title matches"), "\(terminal.text)")
    }

    @Test(arguments: [1, 2, 20, 80, 200] as [UInt16])
    func `No line is wider than the terminal`(columns: UInt16) throws {
      let terminal = try play(["日本"], to: "silent:5", columns: columns)
      // Check the first output, and the next one, if there is room for the time.
      for _ in 0..<(columns < 20 ? 1 : 2) {
        #expect(eventually { !terminal.drawnPieces.isEmpty })
        #expect(terminal.hasDrawn(within: columns), "\(terminal.drawnPieces)")
        terminal.discardOutput()
      }
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
    }

    @Test func `A resized window is redrawn completely`() throws {
      let terminal = try play()
      #expect(terminal.shows("Gymnopédie No. 1"))
      for columns: UInt16 in [20, 200, 3, 120, 1, 40] {
        terminal.discardOutput()
        terminal.resize(columns: columns, rows: 24)
        #expect(
          eventually { terminal.text.contains("\u{1B}[2J") && terminal.hasDrawn(within: columns) },
          "\(terminal.drawnPieces)")
      }
      for size in 1...300 as ClosedRange<UInt16> { terminal.resize(columns: size, rows: size) }
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
      #expect(isViewClosed(terminal))
    }

    @Test func `Ctrl-Z restores the terminal, and the program can be continued`() throws {
      let terminal = try play()
      #expect(terminal.shows("Gymnopédie No. 1"))
      terminal.send(SIGTSTP)
      #expect(eventually { terminal.isStopped })
      #expect(isViewClosed(terminal))
      terminal.discardOutput()
      terminal.send(SIGCONT)
      #expect(terminal.shows("Gymnopédie No. 1"))
      #expect(!terminal.isCooked)
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
      #expect(isViewClosed(terminal))
    }

    @Test func `In the background it continues playing without using the terminal`() throws {
      let shell = try TerminalSession(
        playground, ["--norc", "--noediting", "-i"], program: "/bin/bash", isControlling: true)
      shell.type("PS1='ready> '; $SEGUE play ground 4 --output silent\r")
      #expect(shell.shows("Gymnopédie No. 1"))
      shell.discardOutput()
      shell.type("\u{1A}")
      #expect(shell.shows("Stopped"))
      shell.type("bg; sleep 0.3; jobs\r")
      #expect(shell.shows("Running"))
      #expect(!shell.text.contains("[?1049h"))
      shell.discardOutput()
      shell.type("fg\r")
      #expect(shell.shows("Gymnopédie No. 1"))
      // The shell gives the program the terminal, and then continues it, which would undo a suspension in between.
      shell.type("-")
      #expect(shell.shows("95%"))
      shell.type("\u{1A}")
      #expect(shell.shows("Stopped"))
      shell.discardOutput()
      // A shell that has not noticed that its job continues warns about suspended jobs, and exits at the second `exit`.
      shell.type("p=$(jobs -p); kill %1; while kill -0 $p 2>/dev/null; do sleep 0.02; done; exit 7; exit 7\r")
      #expect(shell.exitStatus() == 7)
      #expect(!shell.text.contains("[?1049h"))
      #expect(shell.isCooked)
    }

    @Test func `A signal ignored by nohup does not end it`() throws {
      let outcome = try playground.shell(
        """
        set -m; trap '' HUP; $SEGUE play ground 4 --output silent >out & p=$!
        until grep -q Gymn out; do sleep 0.02; done; kill -HUP $p; sleep 0.3; kill -TERM $p; wait $p
        """)
      #expect(outcome.status == 143)
    }
  }
}

extension ProgramTests {
  /// The now-playing view in a terminal window.
  @Suite(.serialized) struct ViewScreen {
    private let playground: Playground

    init() throws { playground = try Playground() }

    // Without colours, so that no cover is drawn: its drawing differs between releases of the library.
    @Test func `Keys pause, seek, skip and change the volume, and what they do is drawn`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; NO_COLOR=1 segue play parlour lullaby --output silent; echo $?\n")
      #expect(window.shows("▶ Lullaby"), "\(window.rows)")
      // Wait until the output is open, as this text shows.
      #expect(window.shows("not bit-perfect"), "\(window.rows)")
      try window.press("Space")
      #expect(window.shows("‖ Lullaby"), "\(window.rows)")
      // Seek to the start, and then 10 seconds forward.
      try window.press("Left", "Left")
      #expect(window.shows(" 0:00 ──"), "\(window.rows)")
      try window.press("Right")
      #expect(window.shows(" 0:10 ━━━"), "\(window.rows)")
      let golden = """
         1 Play 2 Queue 3 Albums 4 Artists 5 Songs 6 Browse 7 Lists 8 Lyrics / Search
         5 tracks · 1:20 · 0:41 left                                                3/5
          ┌────────────────┐
          │                │   Lullaby
          │                │
          │                │   Music Box Theatre
          │       PP       │   Parlour Pieces (2023)
          │                │   MP3, lossy, 44100 Hz, stereo
          │                │   not bit-perfect: lossy codec
          │                │
          └────────────────┘

               #  Title                   Artist         Album          Rating     Time
               1  Prelude in C            Music Box Th…  Parlour Piec…             0:16
               2  Für Elise               Music Box Th…  Parlour Piec…             0:12
         ‖     3  Lullaby                 Music Box Th…  Parlour Piec…             0:17
               4  Morning Mood            Music Box Th…  Parlour Piec…             0:19
               5  The Entertainer         Music Box Th…  Parlour Piec…             0:13


        ────────────────────────────────────────────────────────────────────────────────
         ‖ Lullaby · Music Box Theatre · Parlour Pieces                    r z s c 100%
         0:10 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────── 0:17
         ? keys  space pause  / search  u undo  : command  q quit
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(eventually { window.rows == golden }, "\(window.rows.joined(separator: "\n"))")
      try window.press("-")
      #expect(window.shows(" 95%"), "\(window.rows)")
      try window.press(">")
      #expect(window.shows("▶ Morning Mood"), "\(window.rows)")
      try window.press("<")
      #expect(window.shows("▶ Lullaby"), "\(window.rows)")
      // The list of albums and the queue are there, too.
      try window.press("2")
      #expect(window.shows("1  Prelude in C"), "\(window.rows)")
      try window.type(">>>")
      #expect(window.ends(with: "0", "ready$"), "\(window.rows)")
    }

    @Test func `A question about the album is asked before the screen, while others edit the queue`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; segue play a --output silent; echo left $?\n")
      #expect(window.shows("Which one?"), "\(window.rows)")
      #expect(window.rows.contains("  2  Music Box Theatre/Parlour Pieces (2023, 5 tracks)"), "\(window.rows)")
      #expect(try playground.segue("queue", "add", "ground").output.hasPrefix("added 4 tracks"))
      try window.type("2\n")
      #expect(window.shows("▶ Prelude in C"), "\(window.rows)")
      try window.press("q")
      #expect(window.ends(with: "left 0", "ready$"), "\(window.rows)")
    }

    @Test func `A screen below the prompt leaves what is above it, and disappears`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; seq 30; segue play parlour --inline --output silent; echo left $?\n")
      #expect(window.shows("▶ Prelude in C"), "\(window.rows)")
      try window.press("Space")
      #expect(window.shows("‖ Prelude in C"), "\(window.rows)")
      #expect(window.rows.prefix(14).allSatisfy { Int($0) != nil }, "\(window.rows)")
      try window.press("2")
      #expect(window.shows("Für Elise"), "\(window.rows)")
      try window.press("q")
      #expect(window.ends(with: "30", "left 0", "ready$"), "\(window.rows)")
    }

    @Test func `Files that are skipped are reported after the screen`() throws {
      try playground.directory.write(
        "gone.flac\n\(Playground.canon.appending("01 Canon in D, Part One.flac"))\n".utf8, to: "list.m3u")
      let window = try TerminalWindow(playground, columns: 100)
      try window.type("clear; segue play list.m3u --output silent; echo left $?\n")
      #expect(window.shows("▶ Canon in D"), "\(window.rows)")
      #expect(eventually { window.rows.last?.contains("gone.flac") == true }, "\(window.rows)")
      try window.press("q")
      #expect(window.shows("left 0"), "\(window.rows)")
      #expect(window.rows.contains { $0.hasPrefix("segue: ") && $0.contains("gone.flac") }, "\(window.rows)")
    }
  }
}
