// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Smart playlists, and music that keeps coming, on the command line and for MPD clients.
  @Suite struct SmartPlaylistTests {
    private let playground: Playground

    init() throws {
      playground = try Playground(isScanned: false)
      // Playlists are saved in the library.
      #expect(try playground.shell("cp -r '\(Playground.music)' music").status == 0)
      #expect(try segue("scan").status == 0)
    }

    private func segue(_ arguments: String...) throws -> Playground.Outcome {
      try playground.run(Playground.program.string, arguments, with: ["SEGUE_LIBRARY": playground["music"]])
    }

    /// Runs `body` while `segue serve` runs.
    private func withServer(_ body: () throws -> Void) throws {
      let server = try TerminalSession(
        playground, ["serve", "--output", "silent", "--library", playground["music"]])
      #expect(server.shows("listening on \(playground["state/socket"])"))
      try body()
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
    }

    @Test func `A smart playlist is created, shown, named in queries, and always up to date`() throws {
      let created = try segue(
        "playlist", "create", "Short", "duration:..0:20", "--order", "-duration", "--limit", "3")
      #expect(created.status == 0, "\(created)")
      #expect(created.lines == ["created Short, now with 3 tracks"])
      #expect(try segue("playlist").output == "Short\t\tsmart\n")
      let shown = try segue("playlist", "show", "Short").lines
      #expect(shown.count == 3)
      for (window, lines) in [
        (["--limit", "2"], shown[..<2]), (["--offset", "1"], shown[1...]),
        (["--offset", "1", "--limit", "1"], shown[1..<2]),
        (["--offset", "9"], []),
      ] {
        let part = try playground.run(
          Playground.program.string, ["playlist", "show", "Short"] + window,
          with: ["SEGUE_LIBRARY": playground["music"]])
        #expect(part.lines[...] == lines, "\(window)")
      }
      #expect(try segue("tracks", "playlist:short").lines.count == 3)
      #expect(try segue("playlist", "create", "Liked", "liked:yes -playlist:Short").status == 0)
      #expect(try segue("playlist", "show", "Liked").lines.count == 0)
      #expect(try segue("like", "Canon in D, Part One").status == 0)
      #expect(try segue("playlist", "show", "Liked").lines.count == 1)
      let again = try segue("playlist", "create", "Short", "canon")
      #expect(again.status == 1 && again.errors.contains("already exists"), "\(again)")
      let edited = try segue("playlist", "save", "--force", "Short")
      #expect(edited.status != 0, "\(edited)")
      #expect(try segue("playlist", "load", "Short").status == 0)
      #expect(try segue("queue").lines.count == 3)
    }

    @Test func `Playlists that contain each other, and rules that are wrong, are one-line errors`() throws {
      try playground.directory.write("query = 'playlist:b'".utf8, to: "music/Playlists/a.toml")
      try playground.directory.write("query = 'playlist:a'".utf8, to: "music/Playlists/b.toml")
      try playground.directory.write("query = 'x'\nlimit = -1".utf8, to: "music/Playlists/c.toml")
      for (name, problem) in [("a", "contain each other"), ("c", "limit must be a number")] {
        for command in [["playlist", "show", name], ["playlist", "load", name], ["tracks", "playlist:\(name)"]] {
          let outcome = try playground.run(
            Playground.program.string, command, with: ["SEGUE_LIBRARY": playground["music"]])
          #expect(outcome.status != 0 && outcome.errors.contains(problem), "\(command) \(outcome)")
          #expect(outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome.errors)")
        }
      }
      #expect(try segue("playlist", "list").lines.count == 3)
    }

    @Test(.enabled(if: Tool.exists("mpc"), "mpc is not installed"))
    func `MPD clients list, show and load smart playlists, and cannot edit them`() throws {
      #expect(try segue("playlist", "create", "Canons", "canon", "--order", "title").status == 0)
      try withServer {
        let outcome = try playground.shell(
          """
          export MPD_HOST="$PWD/state/socket"
          mpc lsplaylists; mpc playlist -f %title% Canons | head -n 1; mpc load Canons > loaded; mpc playlist | wc -l
          mpc save Canons 2> problem || echo refused; mpc -q rm Canons; mpc lsplaylists | wc -l
          """)
        #expect(
          outcome.lines == ["Canons", "Canon in D, Part One", "3", "refused", "0"],
          "\(outcome.output) \(outcome.errors)")
      }
    }

    @Test func `A queue that keeps playing is refilled, and says so`() throws {
      try withServer {
        #expect(try segue("mode", "keep-playing", "albums", "parlour").output.contains("albums parlour"))
        #expect(try segue("play", "Ground and Air", "3").status == 0)
        #expect(try segue("pause").status == 0)
        let isRefilled = try eventually { try segue("queue", "--json").output.contains("\"keptPlaying\":true") }
        #expect(isRefilled)
        #expect(try segue("queue").lines.count == 9)
        #expect(try segue("queue", "undo").output.contains("keep playing albums parlour (5 items)"))
        #expect(try segue("queue").lines.count == 4)
        #expect(try segue("mode", "keep-playing", "off").status == 0)
      }
    }
  }
}
