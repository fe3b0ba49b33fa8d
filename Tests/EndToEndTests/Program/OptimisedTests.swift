import Platform
import SystemPackage
import TestSupport
import Testing

/// The program as `swift build -c release` leaves it.
private enum ReleaseProgram {
  static let path = Playground.root.appending(".build").appending("release").appending("segue")
  static let exists = (try? FileStatus(of: path))?.kind == .regular
}

extension ProgramTests {
  /// The release program beside the one that was built with the tests: optimising must change nothing that is seen or heard.
  @Suite(.serialized, .enabled(if: ReleaseProgram.exists, "it is built by `swift build -c release`"))
  struct Optimised {
    /// Runs both, each in a place of its own, and expects the same of them.
    private func expectSame(
      _ arguments: [String], input: String? = nil, file: String? = nil,
      _ place: SourceLocation = #_sourceLocation
    ) throws {
      let (plain, optimised) = (try Playground(), try Playground())
      let bytes = input.map { Array($0.utf8) }
      let expected = try plain.run(Playground.program.string, arguments, input: bytes)
      let outcome = try optimised.run(ReleaseProgram.path.string, arguments, input: bytes)
      #expect(outcome.status == expected.status, "\(outcome.errors)", sourceLocation: place)
      #expect(Self.timeless(outcome.output) == Self.timeless(expected.output), sourceLocation: place)
      #expect(outcome.errors == expected.errors, sourceLocation: place)
      guard let file else { return }
      let (left, right) = (try plain.bytes(file), try optimised.bytes(file))
      let same = zip(left, right).prefix { $0 == $1 }.count
      #expect(
        left == right, "\(left.count) and \(right.count) bytes, the same up to \(same)", sourceLocation: place
      )
    }

    /// What was printed, but for the second in which a track was found, and the ids, which follow the order in which files are read.
    private static func timeless(_ output: String) -> String {
      ["added", "id", "albumID"].reduce(output) { text, key in
        text.split(separator: "\"\(key)\":", omittingEmptySubsequences: false).enumerated()
          .map { $0.offset == 0 ? $0.element : $0.element.drop(while: \.isNumber) }.joined()
      }
    }

    @Test(arguments: [
      "--help", "albums", "tracks", "artists", "genres", "problems", "albums --json", "tracks --json",
      "artists --json", "genres --json", "problems --json", "search canon", "search canon --json",
      "search no-such-thing", "tracks year:2021..2023 --sort duration --reverse", "tracks (", "outputs",
      "status", "queue", "resume", "albums --limit 1 --offset 1",
    ])
    func `Listings and errors are the same`(line: String) throws {
      try expectSame(line.split(separator: " ").map(String.init))
    }

    @Test(arguments: [
      [], ["--replay-gain", "album"], ["--volume", "50"], ["--rate", "48000"], ["--depth", "24"],
      ["--crossfade", "2", "--crossfade-albums"],
    ])
    func `What is rendered is the same`(options: [String]) throws {
      try expectSame(["play", "parlour", "--output", "raw:out.raw"] + options, file: "out.raw")
    }

    @Test func `A script is obeyed in the same way`() throws {
      let script = """
        filter genre classical
        albums
        filter clear
        tracks canon
        search lullaby
        volume 70
        replaygain album
        status
        play ground 3
        queue
        nonsense
        """
      try expectSame(["repl", "--output", "raw:out.raw"], input: script, file: "out.raw")
    }

    @Test func `Loudness is measured to the same figures`() throws {
      // Tracks are measured in parallel: the last digits of an album depend on their order.
      try expectSame(["gain", "ground"])
    }

    @Test func `Search as one types, completion and the end work on a terminal`() throws {
      let playground = try Playground()
      let terminal = try TerminalSession(
        playground, ["repl", "--output", "silent"], program: ReleaseProgram.path.string)
      #expect(terminal.shows("segue>"))
      terminal.type("play gro\t\n")
      #expect(terminal.shows("Canon in D, Part One"))
      terminal.type("search\n")
      terminal.type("lull")
      #expect(terminal.shows("Lullaby"))
      terminal.forget()
      terminal.type("\u{1B}")
      // The prompt says what plays.
      #expect(eventually { terminal.text.contains(#/Canon in D, Part \w+> /#) }, "\(terminal.text)")
      terminal.type("quit\n")
      #expect(terminal.end() == 0)
    }
  }
}
