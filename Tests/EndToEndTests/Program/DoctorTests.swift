// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

extension ProgramTests {
  /// The report on the installation.
  @Suite struct DoctorTests {
    private let playground: Playground

    init() throws {
      playground = try Playground()
      _ = try playground.segue("albums")
      _ = try playground.segue("queue", "add", "parlour")
    }

    @Test func `A sound installation is described, and nothing is wrong`() throws {
      let outcome = try playground.segue("doctor")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.output)\(outcome.errors)")
      for pattern in [
        "segue +0\\.1\\.0", "libsndfile +libsndfile-1", "SQLite +3\\.",
        "index +.*/index\\.sqlite, [0-9]+ bytes, schema 17",
        "tracks +[1-9]", "queue +.*/state\\.sqlite, [0-9]+ bytes, schema", "player +not running", "open files +[0-9]",
        "outputs +pulse",
      ] {
        let regex = try Regex(pattern)
        #expect(outcome.lines.contains { $0.wholeMatch(of: regex) != nil || $0.starts(with: regex) }, "\(pattern)")
      }
      #expect(!outcome.output.contains("problem"))
    }

    @Test func `A report for the public contains no path`() throws {
      let outcome = try playground.segue("doctor", "--redact")
      #expect(outcome.status == 0)
      #expect(!outcome.output.contains("\(playground.directory.path)"))
      let lines = outcome.lines.filter { !$0.hasPrefix("system") }
      #expect(lines.allSatisfy { !$0.contains("/") }, "\(outcome.output)")
    }

    @Test func `A genre with a wrong letter is found, and mended by scanning everything again`() throws {
      let outcome = try playground.shell(
        """
        $SEGUE doctor >/dev/null; echo $?
        python3 - data/index.sqlite <<'END'
        import sqlite3, sys
        index = sqlite3.connect(sys.argv[1])
        index.execute("UPDATE genre SET name = 'Tesv' WHERE id = 1")
        index.commit()
        END
        $SEGUE doctor | grep -c 'run `segue scan --again`'
        $SEGUE scan --again >/dev/null; $SEGUE doctor >/dev/null; echo $?
        """)
      #expect(outcome.lines == ["0", "1", "0"], "\(outcome.output) \(outcome.errors)")
    }

    @Test func `A damaged index, a later queue and a missing directory are problems, and stay as they are`() throws {
      let changed = try playground.shell(
        """
        python3 - data/index.sqlite state/state.sqlite <<'END'
        import sqlite3, sys
        with open(sys.argv[1], "r+b") as file:
            file.seek(8192)
            file.write(b"nonsense" * 512)
        state = sqlite3.connect(sys.argv[2])
        version = state.execute("PRAGMA user_version").fetchone()[0]
        state.execute(f"PRAGMA user_version = {version + 1}")
        state.commit()
        END
        cksum data/index.sqlite state/state.sqlite > before
        """)
      #expect(changed.status == 0, "\(changed.errors)")
      let outcome = try playground.segue("doctor", "--library", "nonesuch")
      #expect(outcome.status == 1)
      for text in [
        "problem: it is damaged", "problem: a later version of Segue wrote it", "problem: there is no such directory",
      ] { #expect(outcome.output.contains(text), "\(outcome.output)") }
      #expect(try playground.shell("cksum data/index.sqlite state/state.sqlite | cmp - before").status == 0)
    }
  }
}
