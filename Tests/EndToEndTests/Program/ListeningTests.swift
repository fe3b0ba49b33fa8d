// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Long tracks: chapters, positions and passages, as the program plays them.
  @Suite(.serialized) struct ListeningTests {
    private let playground: Playground

    /// A library of a talk of 200 seconds with two chapters, and of a short song. Tracks of a minute resume.
    init() throws {
      let empty = try Playground(isScanned: false)
      playground = Playground(
        empty, with: ["SEGUE_LIBRARY": empty["music"], "SEGUE_RESUME_LONGER_THAN": "1", "SEGUE_OUTPUT": "silent"])
      for (name, seconds) in [("Talk", 200), ("Song", 20)] {
        let samples = (0..<seconds * 8_000).map { Int32($0 % 200) }
        let wave = try playground.directory.write(
          WaveFile.bytes(samples, rate: 8_000, channels: 1, depth: .bits16), to: "\(name).wav")
        try playground.directory.makeDirectory("music")
        let chapters = name == "Talk" ? ["--tag=CHAPTER001=00:00:00", "--tag=CHAPTER002=00:01:40"] : []
        try Tool.run(
          "flac", ["-s", "--tag=TITLE=\(name)", "-o", playground["music/\(name).flac"]] + chapters + [wave.string])
      }
      #expect(try playground.segue("scan").status == 0)
    }

    /// Runs a script in which a player is started by `start`, and which prints nothing but what a test compares.
    private func output(_ script: String) throws -> [String] {
      let outcome = try playground.shell(
        """
        start() { $SEGUE serve >log 2>&1 & s=$!; await '$SEGUE status --json | grep -q "process.:[1-9]"'; }
        elapsed() { $SEGUE status --json | grep -o '"elapsed":[0-9]*'; }
        started() { await '$SEGUE status --json | grep -q "isHeard.:true"'; }
        \(script)
        """)
      #expect(!outcome.errors.contains("never"), "\(outcome.errors)")
      return outcome.lines
    }

    @Test func `A track resumes in a later player where it was left, and begins anew on request`() throws {
      let lines = try output(
        """
        start; $SEGUE play talk >/dev/null; started; $SEGUE seek 100; $SEGUE quit; wait $s
        $SEGUE info talk | grep 'left at'
        start; $SEGUE play song >/dev/null; started
        $SEGUE play talk; started; elapsed
        $SEGUE seek 0; elapsed
        $SEGUE seek 180; $SEGUE play song >/dev/null; started; $SEGUE quit; wait $s
        $SEGUE info talk | grep -c 'left at'
        """)
      #expect(lines.first?.hasPrefix("left at") == true && lines.first?.hasSuffix("1:40") == true, "\(lines)")
      #expect(lines.dropFirst().first?.contains("resumed at 1:35") == true, "\(lines)")
      #expect(Array(lines.dropFirst(2)) == ["\"elapsed\":95", "\"elapsed\":0", "0"], "\(lines)")
    }

    @Test func `Chapters are listed, and gone to`() throws {
      let lines = try output(
        """
        start; $SEGUE play talk >/dev/null; started; await '$SEGUE status --json | grep -q chapterCount'
        $SEGUE chapter; $SEGUE chapter next; elapsed; $SEGUE chapter 3; $SEGUE chapter previous; elapsed
        $SEGUE play song >/dev/null; started; $SEGUE chapter next; $SEGUE quit; wait $s
        """)
      #expect(
        lines == [
          "> 1  0:00  Chapter 1", "  2  1:40  Chapter 2", "\"elapsed\":100", "\"elapsed\":0",
        ], "\(lines)")
    }

    @Test func `A passage is repeated until something else is wanted`() throws {
      let lines = try output(
        """
        start; $SEGUE play talk >/dev/null; started
        $SEGUE loop 1:00 1:01; $SEGUE loop
        await '$SEGUE status --json | grep -q "elapsed.:60[.][89]"'
        await '$SEGUE status --json | grep -q "elapsed.:60[.][0-6]"'; elapsed
        $SEGUE loop 3:00 99:00; $SEGUE loop; $SEGUE seek 10; $SEGUE loop; $SEGUE loop 3:20 4:00; $SEGUE loop 2 1
        $SEGUE loop mark; $SEGUE play song >/dev/null; started; $SEGUE loop; $SEGUE quit; wait $s
        """)
      #expect(
        lines == [
          "repeats 1:00 to 1:01", "\"elapsed\":60", "repeats 3:00 to 3:20", "no passage is repeated",
          "no passage is repeated",
        ], "\(lines)")
    }
  }
}
