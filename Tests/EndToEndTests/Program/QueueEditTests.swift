// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Edits of the queue by several processes in succession.
  @Suite(.serialized) struct QueueEdits {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Runs a command that should succeed, and returns the lines of its output.
    private func lines(of arguments: String...) throws -> [String] {
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
      return outcome.lines
    }

    /// Returns the titles of the queue's items.
    private func titles() throws -> [String] {
      try lines(of: "queue").map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[2]) }
    }

    @Test func `Edits by several processes form one history, back to the beginning`() throws {
      #expect(try titles().isEmpty)
      #expect(try lines(of: "queue", "add", "parlour") == ["added 5 tracks at 1-5: Parlour Pieces"])
      #expect(try lines(of: "queue", "add", "日本", "ground") == ["added 7 tracks at 6-12: 日本のうた, Ground and Air"])
      #expect(try lines(of: "queue", "remove", "2,4-5") == ["removed 3 items"])
      #expect(try lines(of: "queue", "move", "-2", "end") == ["moved 2 items to 8-9"])
      #expect(try lines(of: "queue", "swap", "1", "last") == ["swapped 1 and 9"])
      let edited = try titles()
      #expect(edited.first == "Lullaby" && edited.last == "さくらさくら")
      #expect(try lines(of: "queue", "shuffle", "--albums") == ["shuffled 9 items by album"])
      #expect(try lines(of: "queue", "sort", "title") == ["sorted 9 items by title"])
      #expect(try titles().first == "Canon in D, Part One")
      #expect(
        try lines(of: "queue", "undo", "2") == ["undid sort by title", "undid shuffle by album"])
      #expect(try titles() == edited)
      #expect(try lines(of: "queue", "clear") == ["cleared 9 items; `queue undo` reverts it"])
      #expect(try titles().isEmpty)
      #expect(try lines(of: "queue", "undo").first?.hasPrefix("undid clear") == true)
      #expect(try titles() == edited)
      let history = try lines(of: "queue", "history")
      #expect(history.first?.hasPrefix("redo\t1\tclear") == true && history.count == 6)
      #expect(try lines(of: "queue", "undo", "99").count == 5)
      #expect(try titles().isEmpty)
      let outcome = try playground.segue("queue", "undo")
      #expect(outcome.status == 3 && outcome.errors == "segue: nothing to undo\n")
      #expect(try lines(of: "queue", "redo", "2").count == 2)
      #expect(try titles().count == 12)
    }

    @Test func `A number means the item that the same shell has listed, or the command is refused`() throws {
      _ = try lines(of: "queue", "add", "parlour")
      let titles = try titles()
      let outcome = try playground.shell(
        """
        "$SEGUE" queue --limit 4 > /dev/null
        bash -c '"$SEGUE" queue remove 1 --quiet; true'
        "$SEGUE" queue remove 3
        "$SEGUE" queue remove 1 || echo "status $?"
        # Of its own edits, a script takes account.
        "$SEGUE" queue > /dev/null
        "$SEGUE" queue remove 1
        "$SEGUE" queue remove 1
        # What lists nothing gets the queue as it is.
        bash -c '"$SEGUE" queue undo 9 --quiet; "$SEGUE" queue add parlour --quiet; "$SEGUE" queue remove 1; "$SEGUE" queue remove 1'
        """)
      #expect(
        outcome.lines == [
          "removed 1 item: \(titles[2])", "status 3", "removed 1 item: \(titles[1])", "removed 1 item: \(titles[3])",
          "removed 1 item: \(titles[0])", "removed 1 item: \(titles[1])",
        ])
      #expect(
        outcome.errors
          == "segue: the queue has changed since it was listed: item 1 is no longer in it; `segue queue` lists it again\n"
      )
    }

    @Test func `Modes are stored, and shown in the listing on a terminal`() throws {
      #expect(try lines(of: "mode").first == "repeat        off")
      #expect(try lines(of: "mode", "repeat", "album") == ["repeat  album"])
      #expect(try lines(of: "mode", "random", "albums") == ["random  albums"])
      #expect(
        try lines(of: "mode", "--json")
          == [
            #"{"consume":false,"keepPlaying":"off","random":"albums","repeat":"album","single":"off","stopAfter":"off","version":1}"#
          ])
      _ = try lines(of: "queue", "add", "日本")
      let terminal = try TerminalSession(playground, ["queue"])
      #expect(terminal.exitStatus() == 0)
      #expect(terminal.text.contains("3 tracks, 0:52 · repeat album · random albums"), "\(terminal.text)")
      #expect(terminal.text.contains("  時計の楽団  日本のうた  0:"), "\(terminal.text)")
    }

    @Test func `Playback continues with tracks added next, which are stored`() throws {
      _ = try lines(of: "queue", "add", "ground")
      let terminal = try TerminalSession(playground, ["queue", "play", "2", "--output", "silent"])
      #expect(try eventually { try playground.segue("queue").output.contains(">\t2\tCanon in D, Part Two") })
      #expect(try lines(of: "queue", "move", "4", "3").first?.hasPrefix("moved 1 item to 3") == true)
      #expect(try lines(of: "queue", "undo").first?.hasPrefix("undid move") == true)
      terminal.type("q")
      #expect(terminal.exitStatus() == 0)
      #expect(try lines(of: "queue", "next", "日本") == ["added 3 tracks at 3-5: 日本のうた"])
      let script = "queue next ground\nqueue play 3\npause\nqueue list --limit 3\nstatus\nqueue undo\nquit"
      let outcome = try playground.segue("repl", "--output", "silent", input: script)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("added 4 tracks at 6-9: Ground and Air"), "\(outcome.output)")
      #expect(outcome.output.contains(">\t3\t"))
      #expect(outcome.output.contains("  next        "))
      #expect(try titles().count == 7)
    }

    @Test func `A JSON row has the fields of its item`() throws {
      struct Row: Decodable {
        let type: String
        let position: Int
        let id: Int
        let current: Bool
        let gone: Bool
        let title: String
        let path: String
      }
      _ = try lines(of: "queue", "add", "日本")
      let rows = try lines(of: "queue", "--json", "--offset", "1").map {
        try JSONDecoder().decode(Row.self, from: Data($0.utf8))
      }
      #expect(
        rows.map(\.position) == [2, 3] && rows.allSatisfy { $0.type == "item" && !$0.current && !$0.gone })
      #expect(Set(rows.map(\.id)).count == 2 && rows[1].title == "ちょうちょう")
    }

    @Test(arguments: [
      (["remove", "9"], 3, "there is no item 9: the queue has 3 items"), (["remove", "3-1"], 2, "3 items"),
      (["remove", "x"], 2, "invalid range"), (["move", "1", "0"], 2, "invalid position"),
      (["move", "1"], 2, "missing new position"),
      (["insert", "5", "ground"], 3, "no item 5"), (["add", "nosuch"], 3, "no album or track title matches"),
      (["undo", "0"], 2, "use 1 or more"),
      (["sort", "colour"], 2, "album"), (["play", "7"], 3, "no item 7"), (["crop"], 3, "current"),
    ])
    func `A failure prints one line, sets the status, and changes nothing`(
      arguments: [String], status: Int32, part: String
    ) throws {
      _ = try lines(of: "queue", "add", "日本")
      let outcome = try playground.run(Playground.program.string, ["queue"] + arguments)
      #expect(outcome.status == status && outcome.errors.contains(part), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty)
      #expect(try titles().count == 3)
    }

    @Test func `A damaged state is set aside with a message, and the edit is made`() throws {
      _ = try lines(of: "queue", "add", "日本")
      for name in try FileManager.default.contentsOfDirectory(atPath: playground["state"])
      where name.hasSuffix(".sqlite") {
        try playground.directory.write(Array("no database at all".utf8), to: "state/\(name)")
      }
      let outcome = try playground.segue("queue", "add", "ground")
      #expect(
        outcome.status == 0 && outcome.output == "added 4 tracks at 1-4: Ground and Air\n",
        "\(outcome.errors)")
      #expect(
        outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("is damaged and was renamed to"),
        "\(outcome.errors)")
      #expect(try titles().count == 4)
    }

    @Test func `A missing file is marked in the listing until it is back`() throws {
      _ = try playground.shell("cp -r '\(Playground.canon)' album")
      _ = try lines(of: "queue", "add", "./album")
      let listed = try lines(of: "queue")
      #expect(listed.count == 4 && !listed.contains { $0.hasSuffix("\tmissing") })
      _ = try playground.shell("mv album away")
      #expect(try lines(of: "queue").allSatisfy { $0.hasSuffix("\tmissing") })
      _ = try playground.shell("mv away album")
      #expect(try lines(of: "queue") == listed)
    }

    @Test func `A saved playlist is loaded by name, and another by path, even with CJK names`()
      throws
    {
      _ = try playground.shell("cp -r '\(Playground.music)' music")
      func runQueue(_ arguments: String...) throws -> Playground.Outcome {
        try playground.run(
          Playground.program.string, ["queue"] + arguments, with: ["SEGUE_LIBRARY": playground["music"]])
      }
      #expect(try runQueue("add", "日本").status == 0)
      #expect(try runQueue("save", "夜の歌").output == "saved 3 tracks: 夜の歌\n")
      #expect(try runQueue("save", "夜の歌").status == 1)
      #expect(try runQueue("append", "夜の歌", "last").output == "added 1 track to 夜の歌, which now has 4\n")
      #expect(try runQueue("lists").output == "夜の歌\t4 tracks\tm3u8\n")
      #expect(try runQueue("load", "夜の歌").output == "loaded 4 tracks: 夜の歌; `queue undo` reverts it\n")
      _ = try playground.shell("mv music/Playlists/*.m3u8 music/x.m3u8; sed -i 's,^[.][.]/,,' music/x.m3u8")
      #expect(try runQueue("add", "music/x.m3u8").output == "added 4 tracks at 5-8: x\n")
      #expect(try runQueue("load", "夜の歌").status == 3)
    }

    @Test func `A listing in a pager starts with the current item visible`() throws {
      try playground.directory.write(
        Array("#!/bin/sh\necho \"LESS is $LESS\"; head -n 2; cat >/dev/null".utf8), to: "pager")
      _ = try playground.shell("chmod +x pager")
      for _ in 0..<8 { _ = try lines(of: "queue", "add", "parlour") }
      let outcome = try playground.segue("repl", "--output", "silent", input: "queue play 33\nquit")
      #expect(outcome.status == 0)
      let shell = try TerminalSession(
        playground, ["-c", "SEGUE_PAGER=./pager \(Playground.program) queue"], program: "/bin/sh")
      #expect(shell.exitStatus() == 0)
      // The headings precede the items.
      #expect(shell.text.contains("LESS is FRX -j.5 +34g"), "\(shell.text)")
    }
  }
}
