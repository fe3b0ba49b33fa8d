// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Tests of `segue equalizer`.
  @Suite(.serialized) struct Equalizer {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func samples(_ name: String) throws -> [Int16] {
      let bytes = try playground.bytes(name)
      return stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)
      }
    }

    @Test func `An imported profile is applied to its output, and to no other`() throws {
      // A filter far above what is in the recording: the preamp remains.
      let text = "Preamp: -6.0206 dB\nFilter 1: ON PK Fc 90000 Hz Gain 3 dB Q 1\nFilter 2: ON XY\n"
      try playground.directory.write(Array(text.utf8), to: "Low ParametricEQ.txt")
      let imported = try playground.segue("equalizer", "import", playground["Low ParametricEQ.txt"])
      #expect(imported.status == 0)
      #expect(imported.errors == "segue: Low, line 3: the filter type \"XY\" is not supported\n")
      let again = try playground.segue("equalizer", "import", playground["Low ParametricEQ.txt"])
      #expect(again.status == 1 && again.errors.contains("add --force"), "\(again.errors)")
      let unnamed = try playground.segue("equalizer", "use", "Low")
      #expect(unnamed.status == 8 && unnamed.errors.contains("--output"), "\(unnamed.errors)")
      #expect(try playground.segue("equalizer", "use", "Low", "--output", "raw").status == 0)
      #expect(try playground.segue("equalizer", "list", "--plain").lines == ["Low; raw"])
      let objects = try playground.segue("equalizer", "list", "--json").lines
      #expect(objects.count == 1 && objects.first?.contains(#""name":"Low","outputs":["raw"]"#) == true, "\(objects)")
      #expect(try playground.segue("play", "ground", "--output", "raw:low.raw").status == 0)
      #expect(try playground.segue("play", "ground", "--output", "wav:other.wav").status == 0)
      #expect(try playground.segue("equalizer", "use", "off", "--output", "raw").status == 0)
      #expect(try playground.segue("play", "ground", "--output", "raw:plain.raw").status == 0)
      let (low, plain) = (try samples("low.raw"), try samples("plain.raw"))
      #expect(low.count == plain.count && plain.contains { abs(Int($0)) > 1_000 })
      #expect(zip(low, plain).allSatisfy { abs(2 * Int($0) - Int($1)) <= 5 })
      #expect(try Array(playground.bytes("other.wav").suffix(2 * plain.count)) == playground.bytes("plain.raw"))
      #expect(try playground.segue("equalizer", "delete", "Low").status == 0)
      #expect(try playground.segue("equalizer", "show", "Low").status == 3)
    }

    /// Runs `commands` in a REPL while an album plays to the output `silent`. The first of them finds it playing: the
    /// status of a player names its output as soon as the output is open.
    private func whilePlaying(_ commands: String) throws -> Playground.Outcome {
      try playground.shell(
        """
        (printf 'mode repeat all\\nplay ground\\n'
        await '$SEGUE status --json | grep -q isHeard.:true'
        cat <<'END'
        \(commands)
        END
        ) | $SEGUE repl --output silent --plain
        """)
    }

    @Test func `Bands are edited while the music plays, and the status names the profile`() throws {
      let outcome = try whilePlaying(
        """
        equalizer set 3 +2.5
        equalizer set 5 -3 --q 2
        status
        equalizer bypass
        status
        equalizer bypass
        equalizer preamp -4
        equalizer show
        equalizer set 99 1
        quit
        """)
      let paths = outcome.lines.filter { $0.hasPrefix("path: ") }
      #expect(paths == ["path: not bit-perfect: equalised (Bands)", "path: bit-perfect"], "\(outcome)")
      #expect(outcome.lines.contains("equalizer: Bands, bypassed"))
      #expect(outcome.lines.contains("preamp: -4 dB") && outcome.lines.contains("band 3: PK 125 Hz +2.5 dB Q 1.41"))
      #expect(outcome.errors.contains("no band 99"), "\(outcome.errors)")
      let stored = try playground.segue("equalizer", "show", "Bands", "--json").output
      #expect(stored.contains("\"preamp\":-4") && stored.contains("\"outputs\":[\"silent\"]"), "\(stored)")
    }

    @Test func `Crossfeed belongs to an output, and is bypassed like a profile`() throws {
      let outcome = try whilePlaying(
        """
        equalizer crossfeed chu-moy
        status
        equalizer bypass
        status
        equalizer crossfeed loud
        quit
        """)
      let paths = outcome.lines.filter { $0.hasPrefix("path: ") }
      #expect(paths == ["path: not bit-perfect: crossfeed (chu-moy)", "path: bit-perfect"], "\(outcome)")
      #expect(outcome.lines.contains("crossfeed: chu-moy, bypassed"), "\(outcome)")
      #expect(outcome.errors.contains("use default, chu-moy, meier or off"), "\(outcome.errors)")
      #expect(try playground.segue("play", "ground", "--output", "raw:plain.raw").status == 0)
      #expect(try playground.segue("equalizer", "crossfeed", "meier", "--output", "raw").status == 0)
      let shown = try playground.segue("equalizer", "show", "--json").output
      #expect(shown.contains(#""crossfeeds":{"raw":"meier","silent":"chu-moy"}"#), "\(shown)")
      #expect(try playground.segue("play", "ground", "--output", "raw:near.raw").status == 0)
      #expect(try playground.segue("equalizer", "crossfeed", "off", "--output", "raw").status == 0)
      #expect(try playground.segue("play", "ground", "--output", "raw:off.raw").status == 0)
      #expect(try playground.bytes("off.raw") == playground.bytes("plain.raw"))
      let (near, plain) = (try samples("near.raw"), try samples("plain.raw"))
      #expect(near.count == plain.count && near != plain)
    }

    @Test func `What is no profile is refused in one line`() throws {
      try playground.directory.write([0xFF, 0], to: "bytes.txt")
      try playground.directory.write(Array("hello".utf8), to: "hello.txt")
      try playground.directory.write([UInt8](repeating: 0x23, count: 300_000), to: "large.txt")
      for (file, status, words) in [
        ("bytes.txt", 1, "not UTF-8"), ("hello.txt", 2, "no filter"), ("large.txt", 1, "bytes"),
        ("none.txt", 3, "no such"),
        (".", 1, "not a file"),
      ] {
        let outcome = try playground.segue("equalizer", "import", playground[file], "--name", "X")
        #expect(outcome.status == Int32(status) && outcome.errors.contains(words), "\(file): \(outcome)")
        #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("segue: ") })
      }
      #expect(try playground.segue("equalizer", "set", "3", "+99", "--profile", "X").status == 2)
      #expect(try playground.segue("equalizer", "bypass").status == 8)
    }
  }
}
