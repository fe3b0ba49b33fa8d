import Glibc
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The queue as other processes see it.
  @Suite(.serialized) struct Queue {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `Another process shows what plays now, and afterwards what played last`() throws {
      #expect(try playground.segue("queue").output.isEmpty)
      let terminal = try TerminalSession(playground, ["play", "ground", "2", "--output", "silent"])
      #expect(try eventually { try playground.segue("queue").output.contains(">\t2\tCanon in D, Part Two") })
      terminal.type("n")
      #expect(
        try eventually { try playground.segue("queue").output.contains(">\t3\tCanon in D, Part Three") })
      #expect(try playground.segue("queue").lines.count == 4)
      terminal.send(SIGKILL)
      #expect(terminal.end() == 137)
      #expect(try playground.segue("queue").output.contains(">\t3\tCanon in D, Part Three"))
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:/dev/null").status == 0)
      #expect(try playground.segue("queue").status == 0)
      #expect(try FileStatus(of: playground.directory["state/state.sqlite"]).kind == .regular)
    }

    @Test func `A queue that cannot be kept is told, and played all the same`() throws {
      try playground.directory.write([], to: "state")
      let outcome = try playground.segue("play", "ground", "3", "--output", "raw:out.raw")
      #expect(outcome.status == 0 && outcome.lines.count == 2)
      #expect(
        outcome.errors.split(separator: "\n").count == 1
          && outcome.errors.contains("what plays could not be kept"))
    }

    @Test(arguments: ["no database at all, but a text", "SQLite format 3\u{0}and no more", "\u{0}\u{1}"])
    func `A damaged file is told, and the next player sets it aside`(text: String) throws {
      try playground.directory.write(Array(text.utf8), to: "state/state.sqlite")
      let damaged = try playground.segue("queue")
      #expect(damaged.status == 1 && damaged.errors.contains("is damaged"), "\(damaged.errors)")
      #expect(try playground.segue("play", "日本", "3", "--output", "raw:/dev/null").status == 0)
      #expect(try playground.segue("queue").lines.count == 3)
    }

    @Test func `Two players at once end as they should, and leave a whole file`() throws {
      let outcome = try playground.shell(
        """
        for i in 1 2 3 4 5 6; do $SEGUE play ground 4 --output raw:$i.raw >/dev/null & p="$p $!"; done
        for i in $p; do wait $i || exit 9; done; ls state
        """)
      #expect(outcome.status == 0)
      #expect(
        outcome.lines.filter { !$0.hasPrefix("state.sqlite-") } == [
          "owner.lock", "state.sqlite", "status.json",
        ])
      #expect(try playground.bytes("1.raw") == playground.bytes("6.raw"))
      #expect(try playground.segue("queue").lines.count == 4)
    }
  }
}
