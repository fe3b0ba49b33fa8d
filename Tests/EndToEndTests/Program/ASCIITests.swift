import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// What is written where the locale has no UTF-8.
  @Suite(.serialized) struct ASCII {
    private let playground: Playground

    /// Music whose names are of ASCII, so that anything else is the program's.
    init() throws {
      playground = try Playground(
        Playground(), with: ["LC_ALL": "C", "TERM": "xterm-256color", "SEGUE_LIBRARY": "music"])
      for name in ["01 Canon in D, Part One", "02 Canon in D, Part Two", "03 Canon in D, Part Three"] {
        let file = Playground.canon.appending("\(name).flac")
        try playground.directory.write(try contents(of: file), to: "music/ground/\(name).flac")
      }
      try playground.directory.write(
        try contents(of: Playground.canon.appending("cover.jpg")), to: "music/ground/cover.jpg")
    }

    private func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    @Test func `The view has signs of ASCII, at every width`() throws {
      for columns in [20, 80] as [UInt16] {
        let terminal = try TerminalSession(
          playground, ["play", "ground", "--output", "silent", "--volume", "50"], columns: columns)
        #expect(terminal.shows("playing: Canon"))
        terminal.type("?m")
        #expect(terminal.shows("left/right 10 s"))
        #expect(terminal.shows("next: Canon"))
        #expect(terminal.shows("L =") || terminal.shows("L -"))
        terminal.type(" ")
        #expect(terminal.shows("paused: Canon"))
        terminal.type("q")
        #expect(terminal.end() == 0)
        #expect(isASCII(terminal.text), "\(terminal.text)")
      }
    }

    @Test func `So have the prompt, the search, what is told and completed, and listings that are cut`()
      throws
    {
      let terminal = try TerminalSession(playground, ["repl", "--output", "silent"], columns: 40)
      #expect(terminal.shows("segue> "))
      terminal.type("/")
      #expect(terminal.shows("up/down choose"))
      terminal.type("canon")
      #expect(terminal.shows("/ canon_"))
      #expect(terminal.shows("> track"))
      terminal.type("\u{1B}")
      #expect(terminal.shows("/ canon_", thenPrompt: "segue> "))
      terminal.type("play ground 1\n")
      #expect(terminal.shows("playing 0:00"))
      for line in [
        "queue --no-pager", "tracks --no-pager", "search --no-pager canon", "status", "mode repeat all",
        "albums",
      ] {
        terminal.forget()
        terminal.type("\(line)\n")
        #expect(terminal.shows("> "))
        terminal.type("\t\t")
        #expect(isASCII(terminal.text), "\(line): \(terminal.text)")
        terminal.type("\u{15}")
      }
      terminal.type("seek 4\n")
      terminal.forget()
      terminal.type("now\n")
      #expect(terminal.shows("q leave"))
      terminal.type("q")
      // The next one begins meanwhile, and is told above the line.
      #expect(terminal.shows("playing 2/3 Canon"))
      terminal.type("quit\n")
      #expect(terminal.end() == 0)
      #expect(isASCII(terminal.text), "\(terminal.text)")
    }

    @Test(arguments: [
      ["queue"], ["tracks"], ["status"], ["search", "canon"], ["help"], ["help", "queue"], ["nonsense"],
      ["config"],
      ["outputs"], ["play", "nothing of the kind"], ["gain", "--dry-run"], ["manual"],
      ["queue", "play", "99"],
    ])
    func `Nothing else is in what is printed, on a terminal or in a pipe`(arguments: [String]) throws {
      #expect(try playground.segue("queue", "add", "ground").status == 0)
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(isASCII(outcome.output) && isASCII(outcome.errors), "\(outcome.output) \(outcome.errors)")
      let terminal = try TerminalSession(
        playground, arguments + (arguments[0] == "queue" ? ["--no-pager"] : []), columns: 30)
      _ = terminal.end()
      #expect(isASCII(terminal.text), "\(terminal.text)")
    }
  }
}
