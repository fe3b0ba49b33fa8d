import Platform
import TestSupport
import Testing

extension ProgramTests {
  /// The key Tab in the REPL.
  @Suite(.serialized) struct Completion {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func start(columns: UInt16 = 80) throws -> TerminalSession {
      let terminal = try TerminalSession(
        playground, ["repl", "--output", "silent"], columns: columns, isControlling: true)
      #expect(terminal.shows("> "))
      return terminal
    }

    /// Leaves the line. What is typed before the prompt is there again is lost with it.
    private func leaveLine(_ terminal: TerminalSession) {
      terminal.forget()
      terminal.type("\u{3}")
      #expect(terminal.shows("> "))
    }

    private func end(_ terminal: TerminalSession) {
      terminal.type("quit\r")
      #expect(terminal.end() == 0)
    }

    @Test func `Tab completes words, albums and tracks`() throws {
      let terminal = try start()
      terminal.type("albums\r")
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      terminal.forget()
      terminal.type("pl\tpar\tENT\t\r")
      #expect(terminal.shows("5/5 The Entertainer", thenPrompt: "> "))
      terminal.type("play 日\tちょ\t\r")
      #expect(terminal.shows("3/3 ちょうちょう", thenPrompt: "> "))
      end(terminal)
      let history = String(decoding: try playground.bytes("state/history"), as: UTF8.self)
      #expect(history.contains("\\040\"Parlour\\040Pieces\"\\040\"The\\040Entertainer\""))
    }

    @Test func `Filters narrow what is offered, and stand above listings`() throws {
      let terminal = try start()
      terminal.type("albums\r")
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      #expect(!terminal.text.contains("genre"))
      terminal.type("play \t\t")
      #expect(terminal.shows("Old Tunes, New Friends\r", thenPrompt: "segue> play "))
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "segue> play "))
      leaveLine(terminal)
      terminal.type("filter ge\trag\t\r")
      #expect(terminal.shows("lgenre Ragtime", thenPrompt: "> "))
      terminal.forget()
      terminal.type("albums\r")
      #expect(terminal.shows("genre Ragtime", thenPrompt: "> "))
      #expect(terminal.shows("Parlour Pieces", thenPrompt: "> "))
      #expect(!terminal.text.contains("Old Tunes"))
      terminal.forget()
      terminal.type("play \t\r")
      #expect(terminal.shows("1/5 Prelude in C", thenPrompt: "> "))
      terminal.type("albums artist:\t\t")
      #expect(terminal.shows("albums artist:"))
      leaveLine(terminal)
      end(terminal)
      let outcome = try playground.segue(
        "repl", "--output", "silent", input: "filter genre Ragtime\nalbums\n")
      #expect(outcome.lines == ["genre Ragtime", "Music Box Theatre\tParlour Pieces\t2023\t5 tracks\t1:20"])
    }

    @Test func `A list does not tear a line that takes several rows`() throws {
      let terminal = try start(columns: 20)
      terminal.type("play \"a name that takes some rows\" 1; p")
      // Between the letters, the ends of rows are written.
      let ends = #/\u{1B}7.*?\u{1B}8/#.dotMatchesNewlines()
      #expect(eventually { terminal.text.replacing(ends, with: "").contains("; p") })
      terminal.type("\u{1}p\t\t")
      #expect(terminal.shows("problems\r", thenPrompt: "1; p"))
      leaveLine(terminal)
      end(terminal)
    }
  }
}
