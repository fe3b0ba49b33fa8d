import Foundation
import TestSupport
import Testing

extension ProgramTests {
  /// `segue watch` beside players that come and go, and `--json` of a player that runs.
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
      // Without it, there has to be a player.
      #expect(try playground.segue("watch").status == 8)
    }

    @Test func `Changes of settings, saved lists and outputs are events, from any client`() throws {
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
