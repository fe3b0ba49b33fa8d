import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Resuming what the last server was playing.
  @Suite(.serialized) struct Restore {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Starts a server, waits until it answers, runs `script`, ends it by `ending`, and returns how the next begins.
    private func next(
      after script: String, endedBy ending: String, restore: String = "1"
    ) throws -> [String] {
      let outcome = try playground.shell(
        """
        export SEGUE_RESTORE=\(restore)
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'
        \(script)
        \(ending); wait $s
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'
        # What is not resumed at once, is not.
        for ((i = 0; i < 100; i++)); do $SEGUE status --json | grep -q phase.:.playing && break; sleep 0.02; done
        $SEGUE status --json | grep -o '"phase":"[a-z]*"'
        $SEGUE status | grep -o 'time .* of .*'
        kill $s; wait $s; cat log >&2
        """)
      return outcome.lines
    }

    private static let plays = """
      $SEGUE play parlour 4 >/dev/null; await '$SEGUE status --json | grep -q isHeard.:true'; $SEGUE seek 6 >/dev/null
      await '$SEGUE status | grep -q "time *0:0[678] of"'; await '[ -e state/playing ]'
      """

    @Test(arguments: ["kill $s", "kill -9 $s", "kill -HUP $s"])
    func `A server resumes what a signal has interrupted`(ending: String) throws {
      let lines = try next(after: Self.plays, endedBy: ending)
      #expect(lines.first == #""phase":"playing""#, "\(lines)")
      #expect(lines.last?.contains(#/0:(0[5-9]|1\d) of 0:19, track 4\/5/#) == true, "\(lines)")
    }

    @Test(arguments: [
      ("$SEGUE pause", "kill $s", "1"), ("$SEGUE stop", "kill $s", "1"), (":", "$SEGUE quit", "1"),
      (":", "kill -9 $s", "0"),
    ])
    func `What was paused, stopped or quit stays so, and so does all without the setting`(
      script: String, ending: String, restore: String
    ) throws {
      let isMarked = script == ":" ? "" : "!"
      let lines = try next(
        after: "\(Self.plays)\n\(script)\nawait '[ \(isMarked) -e state/playing ]'", endedBy: ending,
        restore: restore)
      #expect(lines.first == #""phase":"stopped""#, "\(lines)")
    }

    @Test func `What another player has played since is not resumed`() throws {
      let lines = try next(
        after: Self.plays,
        endedBy: "kill -9 $s; wait $s; printf 'play ground\\nquit\\n' | $SEGUE repl --output silent >/dev/null")
      #expect(lines.first == #""phase":"stopped""#, "\(lines)")
    }
  }
}
