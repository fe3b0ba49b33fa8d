// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// REPLs that control a player in another process.
extension ProgramTests.Remote {
  @Test func `When a player ends, a REPL that controlled it becomes the player`() throws {
    let outcome = try playground.shell(
      """
      $SEGUE serve --output silent >serve.txt & server=$!
      await '[ -e state/socket ]'
      (echo volume 35; await '$SEGUE volume | grep -q 35'; kill $server; await '! kill -0 $server 2>/dev/null'
        echo queue add ground; echo play parlour 2; echo status; echo stop; echo nonsense) |
        $SEGUE repl --output silent; echo $?
      """)
    #expect(outcome.lines.first?.hasPrefix("A player is already running") == true)
    #expect(outcome.lines.contains("The player has quit; commands now go to a new one."))
    let addedIndex = try #require(outcome.lines.firstIndex { $0.hasPrefix("added 4 tracks") })
    #expect(outcome.lines.dropFirst(addedIndex + 1).contains { $0.hasPrefix("2/5 ") }, "\(outcome.output)")
    #expect(outcome.lines.last == "1" && outcome.errors.contains("line 6: "), "\(outcome.errors)")
  }

  @Test func `The prompt follows the other player, and search adds to its queue`() throws {
    try withServer { _ in
      let window = try TerminalWindow(playground)
      try window.type("clear; segue repl\n")
      #expect(window.ends(with: "segue>"))
      #expect(try playground.segue("play", "parlour", "2").status == 0)
      #expect(eventually { window.rows.last?.contains(#/^▶ 0:0\d Für Elise>$/#) == true }, "\(window.rows)")
      // The displayed time advances.
      #expect(eventually { window.rows.last?.contains(#/^▶ 0:0[2-9] Für/#) == true }, "\(window.rows)")
      #expect(try playground.segue("pause").status == 0)
      #expect(eventually { window.rows.last?.contains(#/^⏸ 0:0\d Für/#) == true }, "\(window.rows)")
      try window.type("play grou")
      try window.press("Tab")
      #expect(
        eventually { window.rows.last?.hasSuffix(#"> play "Ground and Air""#) == true }, "\(window.rows)")
      try window.press("C-u")
      try window.type("/")
      #expect(window.shows("type to search"), "\(window.rows)")
      try window.type("morning")
      #expect(window.shows("song  Morning Mood"), "\(window.rows)")
      try window.press("Escape")
      #expect(window.shows("? keys"), "\(window.rows)")
      try window.type("a")
      #expect(window.shows("added 1 track"), "\(window.rows)")
      #expect(try lines(of: "queue").count == 6)
      try window.press("Escape")
      #expect(try playground.segue("stop").status == 0)
      #expect(window.ends(with: "segue>"), "\(window.rows)")
    }
  }

  @Test func `Events of the other player are shown above the line`() throws {
    try withServer { server in
      let window = try TerminalWindow(playground)
      try window.type("clear; segue repl\n")
      #expect(window.ends(with: "segue>"))
      #expect(try playground.segue("play", "parlour", "2").status == 0)
      #expect(window.shows("▶ 2/5 Für Elise - Music Box Theatre - Parlour Pieces (0:12)"), "\(window.rows)")
      // A track that a command in the REPL has announced is not announced again.
      try window.type("play ground 2\n")
      #expect(
        eventually { window.rows.last?.hasSuffix(" Canon in D, Part Two>") == true }, "\(window.rows)")
      try window.type("queue ad")
      #expect(try playground.segue("next").status == 0)
      #expect(window.shows("▶ 3/4 Canon in D, Part Three - The Clockwork Consort"), "\(window.rows)")
      #expect(window.rows.count { $0.contains("2/4 Canon in D, Part Two") } == 1, "\(window.rows)")
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
      #expect(window.ends(with: "segue: the player has ended", "segue> queue ad"), "\(window.rows)")
    }
  }

  @Test func `A hit chosen in the search plays on the running player`() throws {
    try withServer { _ in
      let repl = try TerminalSession(playground, ["repl"])
      #expect(repl.shows("commands go to that one"))
      repl.type("search\n")
      #expect(repl.shows("\u{1B}[?1049h"))
      repl.type("lullaby")
      #expect(repl.shows("Lullaby"))
      repl.type("\r")
      #expect(repl.shows("Lullaby - Music Box Theatre - Parlour Pieces (0:17)"))
      #expect(try lines(of: "status").first == "▶ Lullaby")
      // Enter ends the typing, so that keys have their usual meanings.
      repl.type("q")
      #expect(repl.shows("\u{1B}[?1049l"))
      repl.type("quit\n")
      #expect(repl.exitStatus() == 0)
      #expect(try lines(of: "status").first == "▶ Lullaby")
    }
  }

  @Test func `A REPL for a running player acts on that player`() throws {
    try withServer { _ in
      let outcome = try playground.segue(
        "repl", input: "play ground 3\nalbums\nqueue\nvolume 20\nnonsense\nvolume\n")
      #expect(outcome.status == 1 && outcome.errors.contains("line 5"))
      #expect(
        outcome.lines.contains("3/4 Canon in D, Part Three - The Clockwork Consort - Ground and Air (0:09)")
      )
      #expect(outcome.lines.contains { $0.hasPrefix(">\t3\tCanon in D, Part Three") })
      #expect(outcome.lines.last == "volume 20")
      #expect(try lines(of: "status").first == "▶ Canon in D, Part Three")
    }
  }
}
