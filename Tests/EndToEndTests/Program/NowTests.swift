// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// `segue now` for a player in another process.
  @Suite(.serialized) struct Now {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Runs `body` with a player that has paused the track Lullaby.
    private func withPausedPlayer(_ body: (TerminalSession) throws -> Void) throws {
      let server = try TerminalSession(playground, ["serve", "--output", "silent"])
      #expect(server.shows("listening on \(playground["state/socket"])"))
      #expect(try playground.segue("play", "parlour", "lullaby").status == 0)
      #expect(try eventually { try status().hasPrefix("▶ Lullaby") })
      #expect(try playground.segue("pause").status == 0)
      try body(server)
    }

    private func status() throws -> String { try playground.segue("status").output }

    @Test func `Without a player it exits with 8, and without a terminal it names an alternative`() throws {
      let window = try TerminalWindow(playground)
      try window.type("clear; segue now; echo $?\n")
      #expect(
        window.ends(with: "segue: no player is running; `segue play ALBUM` starts one", "8", "ready$"),
        "\(window.rows)")
      let outcome = try playground.segue("now")
      #expect(outcome.status == 2 && outcome.errors == "segue: `now` needs a terminal: use `status` instead\n")
    }

    @Test func `In a REPL it shows the other player, and keys control that player`() throws {
      try withPausedPlayer { server in
        let window = try TerminalWindow(playground)
        try window.type("clear; NO_COLOR=1 segue repl\n")
        #expect(eventually { window.rows.last?.hasSuffix("Lullaby>") == true }, "\(window.rows)")
        try window.type("now\n")
        #expect(window.shows("q close"), "\(window.rows)")
        let rows = window.rows
        #expect(
          rows.contains { $0.hasPrefix(" ‖ Lullaby · ") } && rows.contains { $0.hasSuffix("  Parlour Pieces (2023)") },
          "\(rows)")
        #expect(rows.contains { $0.hasSuffix("  MP3, lossy, 44100 Hz, stereo") }, "\(rows)")
        #expect(rows.contains { $0.hasSuffix("  not bit-perfect: lossy codec") }, "\(rows)")
        #expect(window.shows("4  Morning Mood") && window.shows("5  The Entertainer"), "\(rows)")
        #expect(window.shows(" 5 tracks · 1:20 · ") && rows.contains { $0.hasSuffix(" 3/5") }, "\(rows)")
        // Skipping to another track resumes playback.
        try window.press(">")
        #expect(window.shows("▶ Morning Mood"), "\(window.rows)")
        try window.press("Space")
        #expect(window.shows("‖ Morning Mood"), "\(window.rows)")
        #expect(try status().hasPrefix("‖ Morning Mood"))
        try window.press("-")
        #expect(window.shows(" 95%"), "\(window.rows)")
        // Changes by other clients are shown as well.
        #expect(try playground.segue("queue", "add", "ground").status == 0)
        #expect(window.shows("4/9"), "\(window.rows)")
        #expect(window.shows("6  Canon in D, Part One"), "\(window.rows)")
        try window.type("mmmm")
        #expect(window.shows("R "), "\(window.rows)")
        try window.press("q")
        #expect(eventually { window.rows.last?.hasSuffix("Morning Mood>") == true }, "\(window.rows)")
        #expect(try status().hasPrefix("‖ Morning Mood"))
        try window.type("now\n")
        #expect(window.shows("q close"), "\(window.rows)")
        server.send(SIGTERM)
        #expect(server.exitStatus() == 143)
        #expect(window.ends(with: "segue: the player has ended", "segue>"), "\(window.rows)")
      }
    }

    @Test func `From the shell it shows the running player, which continues afterwards`() throws {
      try withPausedPlayer { _ in
        let window = try TerminalWindow(playground, columns: 40)
        try window.type("clear; segue now; echo left $?\n")
        #expect(window.shows("‖ Lullaby"), "\(window.rows)")
        try window.press("Space")
        #expect(window.shows("▶ Lullaby"), "\(window.rows)")
        // The displayed time advances.
        #expect(eventually { window.rows.contains { $0.contains(#/^ +0:0[2-9] /#) } }, "\(window.rows)")
        try window.resize(columns: 30)
        #expect(
          eventually {
            window.rows.allSatisfy { $0.count <= 30 } && window.rows.contains { $0.contains(#/^ 0:\d\d .* 0:17$/#) }
          }, "\(window.rows)")
        try window.press("Escape")
        #expect(window.ends(with: "left 0", "ready$"), "\(window.rows)")
        #expect(try status().hasPrefix("▶ Lullaby"))
        try window.type("clear; segue now\n")
        #expect(window.shows("▶ Lullaby"), "\(window.rows)")
        try window.press("C-c")
        // After this signal, a shell does not run the rest of a command list.
        #expect(window.ends(with: "ready$"), "\(window.rows)")
        try window.type("echo left $?\n")
        #expect(window.shows("left 130"), "\(window.rows)")
        try window.type("clear; segue now --plain\n")
        #expect(window.shows("playing: Lullaby"), "\(window.rows)")
      }
    }

    @Test func `Playing on a running player shows it, as now does`() throws {
      try withPausedPlayer { _ in
        let window = try TerminalWindow(playground)
        try window.type("clear; NO_COLOR=1 segue play ground 4; echo left $?\n")
        #expect(window.shows("q close"), "\(window.rows)")
        #expect(window.shows("▶ Gymnopédie No. 1"), "\(window.rows)")
        try window.press("q")
        #expect(window.ends(with: "left 0", "ready$"), "\(window.rows)")
        #expect(try status().contains("Gymnopédie"))
        // In quiet style, the command returns at once.
        try window.type("clear; segue play parlour --quiet; echo left $?\n")
        #expect(window.ends(with: "left 0", "ready$"), "\(window.rows)")
      }
    }

    @Test func `A suspended player is reported at once`() throws {
      try withPausedPlayer { server in
        server.send(SIGSTOP)
        defer { server.send(SIGCONT) }
        let start = MonotonicInstant.now
        let outcome = try playground.segue("volume", "30")
        #expect(
          outcome.status == 9 && outcome.errors.contains("is suspended, for example by Ctrl-Z"), "\(outcome.errors)")
        #expect(MonotonicInstant.now < start.advanced(byMilliseconds: 3_000))
      }
    }

    @Test func `A player with nothing to play is not shown`() throws {
      let server = try TerminalSession(playground, ["serve", "--output", "silent"])
      #expect(server.shows("listening on \(playground["state/socket"])"))
      let window = try TerminalWindow(playground)
      try window.type("clear; segue now; echo $?\n")
      #expect(window.shows("segue: nothing is playing: play an album first"), "\(window.rows)")
    }

    @Test func `A player that does not respond is reported, but never waited for`() throws {
      try withPausedPlayer { server in
        let window = try TerminalWindow(playground)
        try window.type("clear; segue now; echo left $?\n")
        #expect(window.shows("‖ Lullaby"), "\(window.rows)")
        server.send(SIGSTOP)
        try window.press("Space")
        #expect(window.shows("the player is not responding"), "\(window.rows)")
        server.send(SIGCONT)
        // Keys that were not delivered are dropped.
        #expect(try status().hasPrefix("‖ Lullaby"))
        try window.press("Space")
        #expect(window.shows("the player is responding again"), "\(window.rows)")
        #expect(window.shows("▶ Lullaby"), "\(window.rows)")
        server.send(SIGSTOP)
        try window.press("Space", "q")
        #expect(window.shows("left 0"), "\(window.rows)")
        server.send(SIGKILL)
        #expect(server.exitStatus() == 137)
      }
    }
  }
}
