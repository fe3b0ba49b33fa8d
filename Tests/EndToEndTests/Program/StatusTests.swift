// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Tests of `segue status` for a player in another process.
  @Suite(.serialized) struct Status {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// The output of `segue status --json`.
    private struct Line: Decodable {
      struct Song: Decodable {
        let title: String
        let artist: String?
        let path: String?
      }
      let phase: String
      let isHeard: Bool
      let process: Int32
      let queuePosition: Int?
      let queueCount: Int
      let elapsed: Double
      let volume: Int
      let song: Song?
      let deviations: [String]?
    }

    private func status() throws -> Line {
      let outcome = try playground.segue("status", "--json")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(outcome.lines.count == 1 && outcome.output.hasSuffix("}\n"))
      return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8))
    }

    @Test func `Without a player, the status describes the stored queue`() throws {
      let empty = try playground.segue("status")
      #expect(empty.status == 0 && empty.errors.isEmpty, "\(empty.errors)")
      #expect(empty.lines == ["■ no track", "  volume      100%", "  player      not running"])
      #expect(try status().process == 0)
      #expect(try playground.segue("queue", "add", "parlour").status == 0)
      let script = "queue play 2\nseek 5\npause\nvolume 40\nmode repeat all\nquit\n"
      #expect(try playground.segue("repl", "--output", "silent", input: script).status == 0)
      let lines = try playground.segue("status").lines
      #expect(lines.first?.hasPrefix("■ ") == true && lines.contains("  modes       repeat all"), "\(lines)")
      #expect(lines.contains { $0.hasPrefix("  time        0:05 of ") && $0.hasSuffix(", track 2/5") }, "\(lines)")
      #expect(lines.suffix(2) == ["  volume      40%", "  player      not running; resume with `segue resume`"])
      // With `--socket`, a running player is required.
      #expect(try playground.segue("status", "--socket", playground["nowhere"]).status == 8)
    }

    @Test func `Another process sees the current track, and sees that a killed player has stopped`() throws {
      let arguments = ["play", "ground", "4", "--output", "silent", "--volume", "70", "--sleep", "1h"]
      let terminal = try TerminalSession(playground, arguments)
      #expect(try eventually { try playground.segue("status", "--json").output.contains("\"isHeard\":true") })
      let first = try status()
      #expect(first.phase == "playing" && first.queuePosition == 3 && first.queueCount == 4)
      #expect(first.song?.title == "Gymnopédie No. 1" && first.deviations == ["volume 70%"])
      #expect(try eventually { try status().elapsed > first.elapsed })
      let text = try playground.segue("status").output
      #expect(text.hasPrefix("▶ Gymnopédie No. 1\n  The Clockwork Consort · Ground and Air\n"))
      for part in ["not bit-perfect: volume 70%", "volume      70%", "sleep       in 59:", "track 4/4"] {
        #expect(text.contains(part), "\(text)")
      }
      terminal.type(" ")
      #expect(try eventually { try status().phase == "paused" })
      // The position no longer changes once the pause is heard.
      #expect(try eventually { try status().elapsed == status().elapsed })
      terminal.type(" ")
      #expect(try eventually { try status().isHeard })
      terminal.send(SIGKILL)
      #expect(terminal.exitStatus() == 137)
      let stored = try status()
      #expect(stored.process == 0 && stored.phase == "stopped" && !stored.isHeard, "\(stored)")
      #expect(stored.song?.title == "Gymnopédie No. 1" && stored.queuePosition == 3 && stored.volume == 70)
    }

    @Test func `Hostile tags are escaped in JSON, and harmless on a terminal`() throws {
      let file = Playground.broken.appending("tags-hostile.flac").string
      let script = "play '\(file)'\npause\nstatus --json\nstatus\nquit"
      let outcome = try playground.segue("repl", "--output", "silent", input: script)
      #expect(outcome.status == 0)
      let line = try #require(outcome.lines.first { $0.hasPrefix("{") })
      let status = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      #expect(status.song?.title.contains("\u{1B}[2J") == true && status.song?.path == file)
      #expect(outcome.lines.contains { $0.hasPrefix("‖ Clear␛[2J") || $0.hasPrefix("▶ Clear␛[2J") })
      let controls = outcome.output.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n" || $0 == "\u{202E}"
      }
      #expect(controls.isEmpty, "\(controls)")
    }
  }
}

extension ProgramTests {
  /// Tests of `segue watch` with players that start and end, and of `--json` with a running player.
  @Suite(.serialized) struct Watch {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func objects(_ lines: [String]) throws -> [[String: Any]] {
      try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    @Test func `With --reconnect it waits for a player, and for the next one`() throws {
      let outcome = try playground.shell(
        """
        $SEGUE watch --json --reconnect >events & w=$!; await 'grep -q waiting events'
        for n in 1 2; do
          $SEGUE serve --output silent >log 2>&1 & s=$!
          await "[ \\$(grep -c .event.:.status. events) = $n ]"
          [ $n = 1 ] && kill -9 $s || kill $s
          wait $s; await "[ \\$(grep -c .event.:.waiting. events) = $((n + 1)) ]"
        done
        kill $w; cat events
        """)
      let events = try objects(outcome.lines)
      let kinds = events.compactMap { $0["event"] as? String }.filter { $0 != "scan" }
      #expect(kinds == ["waiting", "status", "waiting", "status", "waiting"], "\(outcome.output)\(outcome.errors)")
      #expect(events.allSatisfy { $0["version"] as? Int == 1 })
      // Without the option, a player must be running.
      #expect(try playground.segue("watch").status == 8)
    }

    @Test func `Changes of settings, saved playlists and outputs by any client are events`() throws {
      let outcome = try playground.shell(
        """
        cp -r "$SEGUE_LIBRARY" music; export SEGUE_LIBRARY=$PWD/music
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '[ -S state/socket ]'
        $SEGUE watch --json >events & w=$!; await '[ -s events ]'
        $SEGUE play ground >/dev/null; $SEGUE crossfade 6 --json; $SEGUE replaygain album --json
        $SEGUE sleep --after album --json
        $SEGUE queue save Evening >/dev/null; await 'grep -q event.:.playlists events'
        $SEGUE queue delete Evening >/dev/null; await '[ $(grep -c event.:.playlists events) = 2 ]'
        mpc -q -h $PWD/state/socket save Morning; await '[ $(grep -c event.:.playlists events) = 3 ]'
        await 'grep -q isHeard.:true <($SEGUE status --json)'
        $SEGUE replaygain --json; $SEGUE outputs --json | head -1; $SEGUE scan --json
        kill $w; kill $s; wait $s; echo ---; cat events
        """)
      let answers = try objects(Array(outcome.lines.prefix { $0 != "---" }))
      try #require(answers.count == 6, "\(outcome.output)\(outcome.errors)")
      #expect(answers.allSatisfy { $0["version"] as? Int == 1 })
      #expect(answers[0]["crossfade"] as? Double == 6 && answers[1]["replayGain"] as? String == "album")
      #expect(answers[2]["after"] as? String == "album" && answers[2]["version"] as? Int == 1)
      #expect(answers[3]["gain"] as? Double == -2.8 && answers[3]["reason"] as? String == "album gain -2.8 dB")
      #expect(answers[4]["type"] as? String == "output" && answers[5]["phase"] as? String == "ended")
      let events = try objects(Array(outcome.lines.drop { $0 != "---" }.dropFirst()))
      let event = { (kind: String) in events.first { $0["event"] as? String == kind } ?? [:] }
      #expect(event("crossfade")["crossfade"] as? Double == 6)
      #expect(event("replaygain")["replayGain"] as? String == "album")
      #expect((event("outputs")["output"] as? [String: Any])?["name"] as? String == "silent")
      let track = event("track")
      #expect((track["song"] as? [String: Any])?["cover"] != nil)
      #expect((track["next"] as? [String: Any])?["title"] as? String == "Canon in D, Part Two")
      #expect(event("state")["elapsed"] != nil)
    }
  }
}
