// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

extension ProgramTests {
  /// Several queues, of the program without a player, and of a server.
  @Suite(.serialized) struct NamedQueues {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `Without a player, each queue keeps what is in it`() throws {
      #expect(try playground.segue("queue", "add", "ground").status == 0)
      let used = try playground.segue("queue", "use", "work")
      #expect(used.lines == ["new queue: work, no tracks"])
      #expect(try playground.segue("queue", "add", "日本").status == 0)
      #expect(try playground.segue("mode", "repeat", "all").status == 0)
      #expect(try playground.segue("queue", "use").lines == [" \tdefault\t4 tracks\t", ">\twork\t3 tracks\t"])
      #expect(try playground.segue("status", "--json").output.contains(#""queueName":"work""#))
      let refused = try playground.segue("queue", "forget", "work", "--force")
      #expect(refused.status == 1 && refused.errors.contains("is in use"))
      #expect(try playground.segue("queue", "use", "default").lines == ["default, 4 tracks"])
      #expect(try playground.segue("mode", "repeat").output.contains("off"))
      #expect(try playground.segue("queue", "undo").lines == ["undid add Ground and Air (4 items)"])
      #expect(try playground.segue("queue", "use", "work").lines == ["work, 3 tracks"])
      #expect(try playground.segue("queue", "use", "default").status == 0)
      #expect(try playground.segue("queue", "forget", "work").errors.contains("add --force"))
      #expect(try playground.segue("queue", "forget", "work", "--force").lines == ["deleted queue work, 3 tracks"])
      #expect(try playground.segue("queue", "use").lines == [">\tdefault\tno tracks\t"])
      #expect(try playground.segue("doctor").status == 0)
    }

    @Test func `A server that is killed after a switch returns to where the first queue was left`() throws {
      let outcome = try playground.shell(
        """
        elapsed() { $SEGUE status --json | grep -o '"elapsed":[0-9.]*' | cut -d: -f2; }
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'
        $SEGUE play parlour 4 >/dev/null; await '$SEGUE status --json | grep -q isHeard.:true'; $SEGUE seek 6 >/dev/null
        await '$SEGUE status | grep -q "time *0:0[678] of"'; $SEGUE pause
        await '$SEGUE status --json | grep -q isHeard.:false'; elapsed
        $SEGUE queue use other; $SEGUE queue add ground >/dev/null; kill -9 $s; wait $s
        $SEGUE queue use; $SEGUE queue use default; elapsed
        """)
      let lines = outcome.lines
      try #require(lines.count == 6, "\(lines) \(outcome.errors)")
      #expect(lines[1] == "new queue: other, no tracks")
      #expect(lines[2] == " \tdefault\t5 tracks\tMorning Mood" && lines[3] == ">\tother\t4 tracks\t")
      #expect(lines[4] == "default, 5 tracks, at Morning Mood")
      let (before, after) = (Double(lines[0]) ?? 0, Double(lines[5]) ?? 0)
      // What is shown lags behind until the engine has confirmed the pause; the tests of the reducer compare frames.
      #expect(before > 5 && abs(before - after) < 0.5, "\(before), \(after)")
    }

    @Test func `What plays goes on with the other queue, and the prompt and the screen name it`() throws {
      let outcome = try playground.segue(
        "repl", "--output", "silent",
        input: "play ground 2\nqueue use other\nstatus\nqueue add parlour\nqueue use default\nstatus\nqueue use\n")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("new queue: other, no tracks") && outcome.output.contains("at Canon in D"))
      let terminal = try TerminalSession(playground, ["--output", "silent"])
      #expect(terminal.shows("Queue"))
      terminal.type(":queue use other\r")
      terminal.type("2")
      #expect(terminal.shows("other"))
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
    }
  }
}
