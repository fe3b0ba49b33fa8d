// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The queue, as other processes see it.
  @Suite(.serialized) struct Queue {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// The names of the files in the state directory, without those of what readers have listed.
    private var storedFiles: [String] {
      get throws { try playground.directory.names(in: "state").filter { !$0.hasPrefix("listed-queue-") } }
    }

    @Test func `Another process shows the current track, and the last one after the player has ended`() throws {
      #expect(try playground.segue("queue").output.isEmpty)
      let terminal = try TerminalSession(playground, ["play", "ground", "2", "--output", "silent"])
      #expect(try eventually { try playground.segue("queue").output.contains(">\t2\tCanon in D, Part Two") })
      terminal.type("n")
      #expect(
        try eventually { try playground.segue("queue").output.contains(">\t3\tCanon in D, Part Three") })
      #expect(try playground.segue("queue").lines.count == 4)
      terminal.send(SIGKILL)
      #expect(terminal.exitStatus() == 137)
      #expect(try playground.segue("queue").output.contains(">\t3\tCanon in D, Part Three"))
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:/dev/null").status == 0)
      #expect(try playground.segue("queue").status == 0)
      #expect(try storedFiles == ["owner.lock", "state.sqlite"])
    }

    @Test(arguments: ["on", "once"])
    func `A player that nobody can resume ends where it would pause`(single: String) throws {
      #expect(try playground.segue("mode", "single", single).status == 0)
      let outcome = try playground.segue("play", "ground", "3", "--output", "raw:/dev/null")
      #expect(outcome.status == 0 && outcome.lines.count == 1)
      // The next track is current.
      #expect(try playground.segue("queue").output.contains(">\t4\t"))
    }

    @Test func `A queue that cannot be stored is reported, but still played`() throws {
      try playground.directory.write([], to: "state")
      let outcome = try playground.segue("play", "ground", "3", "--output", "raw:out.raw")
      #expect(outcome.status == 0 && outcome.lines.count == 2)
      #expect(
        outcome.errors.split(separator: "\n").count == 1
          && outcome.errors.contains("cannot save the queue"))
    }

    @Test func `A damaged file is reported and set aside, and the next queue is stored`() throws {
      try playground.directory.write(
        Array("no database, but long enough to be one".utf8), to: "state/state.sqlite")
      let damaged = try playground.segue("queue")
      #expect(damaged.status == 1 && damaged.errors.contains("is damaged"))
      let outcome = try playground.segue("play", "日本", "3", "--output", "raw:/dev/null")
      #expect(outcome.status == 0 && outcome.errors.contains("state.sqlite.damaged-"))
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(try playground.segue("queue").lines.count == 3)
      let names = try storedFiles
      #expect(names.count == 3 && names[2].hasPrefix("state.sqlite.damaged-"))
    }

    @Test func `One of several players owns the queue, and the others report which one`() throws {
      let terminal = try TerminalSession(playground, ["play", "ground", "2", "--output", "silent"])
      #expect(try eventually { try playground.segue("queue").output.contains(">\t2\tCanon in D, Part Two") })
      let owner = try contents(of: playground.directory["state/owner.lock"])
      let processID = String(decoding: owner.prefix { $0 != 10 }, as: UTF8.self)
      let other = try playground.segue("play", "日本", "3", "--output", "raw:/dev/null")
      #expect(other.status == 0)
      #expect(
        other.errors
          == "segue: another player (process \(processID)) is using the queue: what plays here is not saved\n")
      let resumed = try playground.segue("resume", "--output", "raw:/dev/null")
      #expect(resumed.status == 1 && resumed.errors.contains("(process \(processID)) is using the queue"))
      #expect(try playground.segue("queue").lines.count == 4)
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
      #expect(try playground.segue("queue").lines.count == 4)
    }

    @Test func `Several players at once end properly, and leave a complete queue`() throws {
      let outcome = try playground.shell(
        """
        for i in 1 2 3 4 5 6; do $SEGUE play ground 4 --output raw:$i.raw >/dev/null & p="$p $!"; done
        for i in $p; do wait $i || exit 9; done; ls state
        """)
      #expect(outcome.status == 0)
      #expect(try storedFiles == ["owner.lock", "state.sqlite"])
      #expect(try playground.bytes("1.raw") == playground.bytes("6.raw"))
      #expect(try playground.segue("queue").lines.count == 4)
    }

    @Test(arguments: [SIGKILL, SIGINT, SIGHUP, nil])
    func `Playback resumes where it stopped, however it ended`(signal: Int32?) throws {
      let terminal = try TerminalSession(
        playground, ["play", "parlour", "2-01", "--output", "silent", "--volume", "70"])
      #expect(try eventually { try playground.position() >= 2.2 })
      let position = try playground.position()
      if let signal { terminal.send(signal) } else { terminal.type("q") }
      _ = terminal.exitStatus()
      let outcome = try playground.segue("resume", "--output", "raw:rest.raw")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.first?.hasPrefix("3/5 Lullaby") == true)
      // Render the whole track, to calculate how much was skipped.
      #expect(try playground.segue("play", "parlour", "2-01", "--output", "raw:all.raw").status == 0)
      let skippedByteCount = try playground.bytes("all.raw").count - playground.bytes("rest.raw").count
      let seconds = Double(skippedByteCount) / 4 / 44_100
      // The position is reported once a second; a killed process may not have stored the last report.
      let maximumLoss = signal == SIGKILL ? 2.0 : 1
      #expect(seconds > position - maximumLoss && seconds < position + 3, "\(seconds) s instead of \(position) s")
    }

    @Test func `The volume is stored for listening, but does not apply to rendering`() throws {
      _ = try playground.segue("repl", "--output", "silent", "--volume", "70", input: "play ground 4\nquit\n")
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:full.raw").status == 0)
      #expect(
        try playground.segue("repl", "--output", "silent", input: "volume\nquit\n").lines.contains(
          "volume 70"))
    }

    @Test func `Without a stored queue there is nothing to resume`() throws {
      for word in ["play", "resume"] {
        let outcome = try playground.segue(word, "--output", "raw:/dev/null")
        #expect(outcome.status == 7 && outcome.errors.contains("the queue is empty"))
      }
    }

    @Test func `The REPL resumes the stored queue`() throws {
      #expect(try playground.segue("play", "ground", "3", "--output", "raw:/dev/null").status == 0)
      let outcome = try playground.segue("repl", "--output", "raw:/dev/null", input: "queue\nresume\n")
      #expect(outcome.status == 0 && outcome.output.contains("\t4\tGymnopédie No. 1"))
    }
  }
}

extension TemporaryDirectory {
  /// Returns the names of the files in a directory, sorted, without the temporary files of SQLite.
  fileprivate func names(in name: String) throws -> [String] {
    // A process that only reads the database leaves these files behind.
    try DirectoryListing(of: self[name]).entries.map(\.name.string).filter {
      !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }.sorted()
  }
}

extension Playground {
  /// Returns the elapsed seconds of the current track, as seen by another process.
  func position() throws -> Double {
    let outcome = try segue("status", "--json")
    guard let range = outcome.output.firstRange(of: "\"elapsed\":") else { return 0 }
    return Double(outcome.output[range.upperBound...].prefix { $0.isNumber || $0 == "." }) ?? 0
  }
}

extension ProgramTests {
  /// Playback that a server resumes from the previous server.
  @Suite(.serialized) struct Restore {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Starts a server, runs `script`, ends the server with the command `ending`, and starts another one. Returns the
    /// phase and the position of the latter.
    private func statusOfNextServer(
      after script: String, endedBy ending: String, restore: String = "1"
    ) throws -> [String] {
      let outcome = try playground.shell(
        """
        export SEGUE_RESTORE=\(restore)
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'
        \(script)
        \(ending); wait $s
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'
        # A server resumes playback at once, or not at all.
        for ((i = 0; i < 100; i++)); do $SEGUE status --json | grep -q phase.:.playing && break; sleep 0.02; done
        $SEGUE status --json | grep -o '"phase":"[a-z]*"'
        $SEGUE status | grep -o 'time .* of .*'
        kill $s; wait $s; cat log >&2
        """)
      return outcome.lines
    }

    private static let playScript = """
      $SEGUE play parlour 4 >/dev/null; await '$SEGUE status --json | grep -q isHeard.:true'; $SEGUE seek 6 >/dev/null
      await '$SEGUE status | grep -q "time *0:0[678] of"'; await '[ -e state/playing ]'
      """

    @Test(arguments: ["kill $s", "kill -9 $s", "kill -HUP $s"])
    func `A server resumes playback that a signal interrupted`(ending: String) throws {
      let lines = try statusOfNextServer(after: Self.playScript, endedBy: ending)
      #expect(lines.first == #""phase":"playing""#, "\(lines)")
      #expect(lines.last?.contains(#/0:(0[5-9]|1\d) of 0:19, track 4\/5/#) == true, "\(lines)")
    }

    @Test(arguments: [
      ("$SEGUE pause", "kill $s", "1"), ("$SEGUE stop", "kill $s", "1"), (":", "$SEGUE quit", "1"),
      (":", "kill -9 $s", "0"),
    ])
    func `Playback that was paused, stopped or quit is not resumed, nor is any without the setting`(
      script: String, ending: String, restore: String
    ) throws {
      // The file state/playing exists only during playback.
      let negation = script == ":" ? "" : "!"
      let lines = try statusOfNextServer(
        after: "\(Self.playScript)\n\(script)\nawait '[ \(negation) -e state/playing ]'", endedBy: ending,
        restore: restore)
      #expect(lines.first == #""phase":"stopped""#, "\(lines)")
    }

    @Test func `Playback is not resumed if another player has run since`() throws {
      let lines = try statusOfNextServer(
        after: Self.playScript,
        endedBy: "kill -9 $s; wait $s; printf 'play ground\\nquit\\n' | $SEGUE repl --output silent >/dev/null")
      #expect(lines.first == #""phase":"stopped""#, "\(lines)")
    }
  }
}
