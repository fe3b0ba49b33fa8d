// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

extension ProgramTests {
  /// What a newcomer meets first.
  @Suite struct FirstMinutes {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `A music directory that does not exist can be typed, and is saved if wished`() throws {
      let settings = playground["new/config.toml"]
      let own = Playground(playground, with: ["SEGUE_CONFIG": settings])
      _ = try own.shell("mkdir new 'my music' && echo '# mine' > new/config.toml")
      let window = try TerminalWindow(own)
      try window.type("clear; segue albums --library nosuch --data-dir none; echo left $?\n")
      #expect(window.shows("nosuch does not exist."), "\(window.rows)")
      #expect(window.shows("music directory:"), "\(window.rows)")
      try window.type("nowhere\n")
      #expect(window.shows("segue: no such directory: nowhere"), "\(window.rows)")
      // A slash is a part of the path, and Tab completes it.
      try window.type("\(playground["my mu"])\t\n")
      #expect(window.shows("y or n:"), "\(window.rows)")
      try window.type("perhaps\ny\n")
      #expect(window.shows("left "), "\(window.rows)")
      let text = try String(contentsOfFile: settings, encoding: .utf8)
      #expect(text == "# mine\nlibrary = \"\(playground["my music"])\"\n")
    }

    @Test func `Without a terminal, the error names the directory and what to do`() throws {
      let outcome = try playground.segue("albums", "--library", "nosuch", "--data-dir", "none")
      #expect(outcome.status == 5)
      #expect(
        outcome.errors.hasSuffix(
          "nosuch does not exist; name another with --library DIR, or save it with `segue set library=DIR --save`\n"),
        "\(outcome.errors)")
    }

    @Test func `The end of the queue is said`() throws {
      let outcome = try playground.shell(
        """
        $SEGUE serve --output silent >/dev/null 2>&1 & player=$!; await '[ -S state/socket ]'
        $SEGUE queue add parlour; $SEGUE queue play last; $SEGUE seek 10:00 2>/dev/null
        await '$SEGUE status | grep -q "at its end"'; $SEGUE status; $SEGUE queue | grep -c '^>'
        kill $player
        """)
      #expect(outcome.output.contains("at its end, "), "\(outcome.output)")
      #expect(outcome.lines.last == "0", "\(outcome.output)")
    }
  }
}
