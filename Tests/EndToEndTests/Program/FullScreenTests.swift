// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The full screen in a terminal window.
  @Suite(.serialized) struct FullScreen {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Opens a window, and starts the full screen in it.
    private func start(
      _ words: String = "--output silent", in other: Playground? = nil, columns: Int = 80, rows: Int = 24
    ) throws -> TerminalWindow {
      let window = try TerminalWindow(other ?? playground, columns: columns, rows: rows)
      try window.type("clear; segue \(words)\n")
      #expect(window.shows("Parlour Pieces"), "\(window.rows)")
      return window
    }

    @Test func `The program's name alone opens the screen, where keys find, play, add, rate and undo`() throws {
      let window = try start()
      try window.type(";parlour\n")
      #expect(window.shows(" 4 albums") && window.shows("2/4"), "\(window.rows)")
      try window.press("Enter")
      #expect(window.shows("▶ Prelude in C · Music Box Theatre"), "\(window.rows)")
      try window.type("p2")
      #expect(window.shows("‖ Prelude in C"), "\(window.rows)")
      #expect(window.shows("5  The Entertainer"))
      try window.type("*4")
      #expect(window.shows("★★★★☆"), "\(window.rows)")
      try window.type("Gd")
      #expect(window.shows("removed 1 track"))
      #expect(eventually { !window.rows.contains { $0.contains("The Entertainer") } }, "\(window.rows)")
      try window.type("u")
      #expect(window.shows("5  The Entertainer"), "\(window.rows)")
      try window.type("/lullaby")
      #expect(window.shows("song  Lullaby"), "\(window.rows)")
      try window.press("Escape")
      try window.type("a2")
      #expect(window.shows("6  Lullaby"), "\(window.rows)")
      try window.type(":queue clear\n")
      #expect(window.shows("The queue is empty"), "\(window.rows)")
      try window.type("q")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()))
      #expect(try playground.segue("queue", "--json").output.isEmpty)
    }

    @Test func `Directories are opened down to their tracks, which are rated and played`() throws {
      let window = try start()
      try window.type(":directories\n")
      #expect(window.shows("The Clockwork Consort/"), "\(window.rows)")
      try window.type(";clockwork\nl")
      #expect(window.shows("Ground and Air/"), "\(window.rows)")
      try window.type("lj")
      #expect(window.shows("Canon in D, Part Two"), "\(window.rows)")
      try window.type("*3")
      #expect(window.shows("★★★☆☆"), "\(window.rows)")
      try window.press("Enter")
      #expect(window.shows("▶ Canon in D, Part Two"), "\(window.rows)")
      try window.type(":queue\n")
      #expect(window.shows("4  Gymnopédie No. 1"), "\(window.rows)")
      try window.type("\u{3}")
      #expect(window.shows("Stop the music and quit?"), "\(window.rows)")
      try window.type("y")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()))
    }

    @Test func `Tracks of a playlist are removed, the others remain, and both come back`() throws {
      let lists = Playground(playground, with: ["SEGUE_PLAYLISTS": playground["lists"]])
      let window = try start(in: lists)
      try window.press("Enter")
      #expect(window.shows("▶ Canon in D"))
      try window.type("p:queue save Mix\n")
      #expect(window.shows("saved 4 tracks"), "\(window.rows)")
      try window.type("7")
      #expect(window.shows("Mix"), "\(window.rows)")
      try window.type(";mix\nljd")
      #expect(window.shows("removed 1 track from Mix"), "\(window.rows)")
      #expect(eventually { !window.rows.contains { $0.contains("Canon in D, Part Two") } }, "\(window.rows)")
      #expect(window.shows("Canon in D, Part Th"))
      try window.type("u")
      #expect(window.shows("undid remove 1 track from Mix"), "\(window.rows)")
      #expect(window.shows("Canon in D, Part Two"), "\(window.rows)")
    }

    @Test func `A playlist is made, sorted, renamed and deleted on the screen`() throws {
      let lists = Playground(playground, with: ["SEGUE_PLAYLISTS": playground["lists"]])
      let window = try start(in: lists)
      try window.type("5gg")
      #expect(window.shows("1/16"), "\(window.rows)")
      try window.type("xjjvjPMix\n")
      #expect(window.shows("added 3 tracks: Mix now has 3"), "\(window.rows)")
      try window.type("7l")
      #expect(window.shows("Playlists > Mix"), "\(window.rows)")
      #expect(eventually { window.rows.count { $0.contains("0:") } >= 3 }, "\(window.rows)")
      let before = window.rows[3...5].map { String($0.dropFirst(10).prefix(10)) }
      try window.type("J")
      #expect(
        eventually {
          window.rows[3...5].map { String($0.dropFirst(10).prefix(10)) } == [before[1], before[0], before[2]]
        }, "\(window.rows)")
      try window.type("he\u{15}Evening\n")
      #expect(window.shows("renamed Mix to Evening"), "\(window.rows)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: playground["lists"]) == ["Evening.m3u8"])
      try window.type("d")
      #expect(window.shows("deleted playlist Evening"), "\(window.rows)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: playground["lists"]).isEmpty)
    }

    @Test func `The modes have keys, and a cleared queue comes back`() throws {
      let window = try start()
      try window.press("Enter")
      #expect(window.shows("▶ Canon in D, Part One"))
      try window.type("pr")
      #expect(window.shows("repeat all"), "\(window.rows)")
      try window.type("z")
      #expect(window.shows("random tracks"), "\(window.rows)")
      try window.type(":queue l\t")
      #expect(window.shows(":queue list"), "\(window.rows)")
      try window.press("Escape")
      try window.type("zzrrr2C")
      #expect(window.shows("The queue is empty"), "\(window.rows)")
      try window.type("u")
      #expect(window.shows("4  Gymnopédie No. 1"), "\(window.rows)")
      #expect(eventually { !window.rows.contains { $0.contains("repeat") || $0.contains("random") } }, "\(window.rows)")
    }

    @Test func `Quitting asks while music plays, and restores the terminal`() throws {
      let terminal = try TerminalSession(playground, ["screen", "--output", "silent"])
      #expect(terminal.shows("Parlour Pieces"))
      #expect(!terminal.isCooked)
      terminal.type("\r")
      #expect(terminal.shows("Canon in D, Part One"))
      terminal.type("q")
      #expect(terminal.shows("Stop the music and quit?"))
      terminal.type("y")
      #expect(terminal.exitStatus() == 0 && terminal.isRestored)
    }

    @Test(arguments: [(Int32(15), Int32(143)), (Int32(2), Int32(130)), (Int32(1), Int32(129))])
    func `A signal ends the screen, and restores the terminal`(signal: Int32, status: Int32) throws {
      let terminal = try TerminalSession(playground, ["screen", "--output", "silent"])
      #expect(terminal.shows("Parlour Pieces"))
      terminal.send(signal)
      #expect(terminal.exitStatus() == status && terminal.isRestored)
    }

    @Test func `Screens beside a player elsewhere agree, and one of them goes on when that player has ended`() throws {
      let server = try TerminalSession(playground, ["serve", "--output", "silent"])
      #expect(server.shows("listening on"))
      let (first, second) = (try start(""), try start("", columns: 100))
      try first.press("Enter")
      #expect(first.shows("▶ Canon in D, Part One") && second.shows("▶ Canon in D, Part One"), "\(second.rows)")
      try second.type("p2jd")
      #expect(second.shows("removed 1 track"), "\(second.rows)")
      try first.type("2")
      #expect(eventually { !first.rows.contains { $0.contains("Canon in D, Part Two") } }, "\(first.rows)")
      #expect(first.shows("‖ Canon in D, Part One"), "\(first.rows)")
      try second.type("q")
      #expect(second.shows(TerminalWindow.shellPrompt.dropLast()))
      server.send(15)
      #expect(server.exitStatus() != nil)
      // The screen becomes the player, with the same queue, and remains where it is.
      #expect(first.shows("Canon in D, Part Th"), "\(first.rows)")
      try first.type("u")
      #expect(first.shows("2  Canon in D, Part T"), "\(first.rows)")
    }

    @Test func `The screen fits any size, and is drawn anew after a change of it`() throws {
      let window = try start()
      for (columns, rows) in [(20, 6), (132, 43), (3, 2), (80, 24)] {
        try window.resize(columns: columns, rows: rows)
        #expect(
          eventually { window.rows.allSatisfy { $0.count <= columns } && window.rows.count <= rows }, "\(window.rows)")
      }
      #expect(window.shows("Parlour Pieces"), "\(window.rows)")
    }

    @Test func `Lyrics beside the file are shown with the line that is sung, and printed by a command`() throws {
      try playground.directory.makeDirectory("own")
      let track = Fixture.music("Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3")
      try playground.directory.write(try contents(of: track), to: "own/song.mp3")
      try playground.directory.write("[00:00.00]The first line\n[10:00.00]Never\n".utf8, to: "own/song.lrc")
      let options = "--library \(playground["own"]) --data-dir \(playground["own-data"])"
      let window = try start("--output silent \(options)")
      try window.press("Enter")
      try window.type("8")
      #expect(window.shows("  The first line"), "\(window.rows)")
      #expect(window.shows("  Never"))
      let lyrics = try playground.segue("lyrics", playground["own/song.mp3"])
      #expect(lyrics.status == 0 && lyrics.lines == ["The first line", "Never"])
      #expect(try playground.segue("lyrics").lines == lyrics.lines)
      let json = try playground.segue("lyrics", "--json", playground["own/song.mp3"])
      #expect(
        json.lines.count == 2 && json.lines[1].contains("\"seconds\":600")
          && json.lines[1].contains("\"text\":\"Never\""))
      let none = try playground.segue("lyrics", track.string)
      #expect(none.status == 3 && none.errors.hasPrefix("segue: no lyrics for "), "\(none.errors)")
    }
  }
}
