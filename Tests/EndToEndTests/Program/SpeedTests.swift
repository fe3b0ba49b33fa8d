// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Tests of `segue speed`.
  @Suite(.serialized) struct Speed {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `An album is played faster without gaps, and at speed 1 bit for bit`() throws {
      #expect(try playground.segue("repl", "--output", "raw:plain.raw", input: "play ground\n").status == 0)
      #expect(try playground.segue("repl", "--output", "raw:fast.raw", input: "speed 2\nplay ground\n").status == 0)
      let once = "speed 1.5\nspeed off\nplay ground\n"
      #expect(try playground.segue("repl", "--output", "raw:again.raw", input: once).status == 0)
      let (plain, fast) = (try playground.bytes("plain.raw"), try playground.bytes("fast.raw"))
      #expect(!plain.isEmpty && abs(fast.count - plain.count / 2) <= 8, "\(plain.count), \(fast.count)")
      #expect(try playground.bytes("again.raw") == plain)
    }

    @Test func `The speed of a running player changes, is told, and is a reason why it is not bit-perfect`() throws {
      let outcome = try playground.shell(
        """
        $SEGUE serve --output silent >log 2>&1 & s=$!; await '[ -S state/socket ]'
        $SEGUE watch --json >events & w=$!; await '[ -s events ]'
        $SEGUE play ground >/dev/null; await 'grep -q isHeard.:true <($SEGUE status --json)'
        $SEGUE speed; $SEGUE speed 1.5; $SEGUE speed +25%; $SEGUE speed --json
        await 'grep -q "speed.:1.75" <($SEGUE status --json)'
        $SEGUE status --plain | grep -E '^(path|speed)'
        for speed in nan 0 1e9 fast 3.5; do $SEGUE speed $speed; echo $?; done 2>&1
        for step in $(seq 40); do $SEGUE speed 0.$((50 + step)); done; $SEGUE speed off; $SEGUE speed
        $SEGUE status --plain | grep -E '^(path|speed)'
        await 'grep -q "event.:.speed.*speed.:1,\\|speed.:1}" events'; kill $w $s; wait $s
        """)
      let lines = outcome.lines
      #expect(lines.first == "speed 1x" && lines.dropFirst().first == #"{"speed":1.75,"version":1}"#, "\(outcome)")
      #expect(lines.contains("path: not bit-perfect: speed 1.75x"), "\(outcome)")
      #expect(lines.contains { $0.hasPrefix("speed: 1.75x, ") && $0.hasSuffix(" left") }, "\(outcome)")
      let errors = lines.filter { $0.hasPrefix("segue: ") }
      #expect(errors.count == 5 && errors.allSatisfy { $0.hasSuffix("use 0.5 to 3, +0.1, -0.1 or off") }, "\(outcome)")
      #expect(lines.count { $0 == "2" } == 5)
      #expect(lines.suffix(2) == ["speed 1x", "path: bit-perfect"], "\(outcome)")
    }

    @Test func `Without Rubber Band, nothing changes, and one line says why`() throws {
      let outcome = try playground.shell(
        """
        mkdir lib; echo broken > lib/librubberband.so.2
        printf 'speed 1.5\\nspeed 1\\nspeed --json\\nplay ground\\n' |
          LD_LIBRARY_PATH=$PWD/lib $SEGUE repl --output raw:missing.raw
        $SEGUE repl --output raw:plain.raw <<< 'play ground'
        cmp missing.raw plain.raw && echo same
        """)
      #expect(outcome.lines.contains(#"{"speed":1,"version":1}"#) && outcome.lines.last == "same", "\(outcome)")
      let problems = outcome.errors.split(separator: "\n").filter { $0.contains("Rubber Band") }
      #expect(problems.count == 1 && problems[0].contains("is not installed"), "\(outcome)")
    }

    @Test func `Without a player, the speed cannot be set`() throws {
      #expect(try playground.segue("speed", "1.5").status == 8)
      #expect(try playground.segue("speed", "fast").status == 2)
    }
  }
}
