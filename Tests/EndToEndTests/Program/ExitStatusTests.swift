import AudioCore
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// How each failure ends: one line on standard error, and a status of its own.
  @Suite(.serialized) struct Statuses {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: [
      (["frobnicate"], 2, "frobnicate"),
      (["play", "a", "--output"], 2, "--output"),
      (["play", "ground", "--output", "wav:"], 2, "wav needs a file"),
      (["play", "nosuch"], 3, "no album matches"),
      (["play", "groond and air"], 3, "did you mean \"The Clockwork Consort/Ground and Air\"?"),
      (["play", "ground", "9"], 3, "it has 4"), (["play", "/nosuch"], 3, "no such file"),
      (["albums", "nosuch"], 3, "matches nosuch"),
      (["albums", "--library", "/nosuch"], 5, "no such file"), (["play", ""], 3, "no album matches"),
      (["play", "a"], 4, "matches 3 albums"), (["play", "ground", "canon"], 4, "matches 3 tracks"),
      (["albums", "--library", "/dev/null"], 5, "not a directory"),
      (["play", "/dev/zero"], 5, "not a directory"),
      (["play", "ground", "--output", "nosuch"], 6, "there is no output"),
      (["play", "ground", "--output", "wav:/nosuch/a.wav"], 6, "cannot be written"),
      (["play", "ground", "--output", "wav:/dev/full"], 6, "is the disk full"),
      (["play", "ground", "--output", "raw:/tmp/nosuch-fifo"], 2, "fifo:/tmp/nosuch-fifo waits for it"),
      (["serve", "--output", "raw:nosuch.raw"], 2, "fifo:nosuch.raw waits for it"),
      (["serve", "--socket", "/dev/null/socket", "--output", "silent"], 1, "/dev/null/socket"),
      (["play", "/etc/passwd"], 7, "no sound"),
      (["queue", "add", "ground", "--state-dir", "/dev/null/x"], 1, "cannot be kept"),
      (["play"], 7, "the queue is empty"),
    ])
    func `A failure is one line and a status`(arguments: [String], status: Int32, part: String) throws {
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(outcome.status == status)
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("segue: ") == true)
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }

    @Test func `What several albums match is listed on standard output`() throws {
      let outcome = try playground.segue("play", "a")
      #expect(
        outcome.lines == [
          "The Clockwork Consort/Ground and Air", "Music Box Theatre/Parlour Pieces", "時計の楽団/日本のうた",
        ])
    }

    @Test func `Music that is missing has a status: no directory, an empty one, nothing playable`() throws {
      let missing = try playground.segue("albums", with: ["SEGUE_LIBRARY": ""])
      #expect(missing.status == 5 && missing.errors.contains("home/Music; --library DIR"))
      try playground.directory.makeDirectory("home/Music")
      #expect(try playground.segue("albums", with: ["SEGUE_LIBRARY": ""]).status == 3)
      #expect(try playground.segue("play", playground["home/Music"]).status == 7)
      try playground.directory.write([], to: "home/Music/a.mp3")
      let empty = try playground.segue("play", playground["home/Music"])
      #expect(empty.status == 7 && empty.errors.contains("a.mp3: the file is empty"))
      let header = try playground.segue(
        "play", Playground.broken.appending("header-only.flac").string, "--output", "raw:x")
      #expect(header.status == 7)
    }

    @Test(.enabled(if: TemporaryDirectory.permissionsApply))
    func `A library that may not be read has a status`() throws {
      try playground.directory.makeDirectory("locked")
      try playground.directory.setPermissions(0, of: "locked")
      #expect(try playground.segue("albums", "--library", playground["locked"]).status == 5)
    }

    @Test(arguments: [
      "help", "--help", "help play", "play --help", "help repl", "--version", "mode", "outputs", "albums",
    ])
    func `What is asked for is printed, and is no failure`(line: String) throws {
      let outcome = try playground.run(Playground.program.string, line.split(separator: " ").map(String.init))
      #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors.isEmpty)
    }

    @Test func `Help tells of the command that it is asked about`() throws {
      #expect(try playground.segue("help", "play").output.contains("USAGE: segue play"))
      #expect(try playground.segue("repl", input: "help volume").output.contains("USAGE: segue volume"))
    }

    @Test(arguments: ["albums", "help", "mode", "outputs"])
    func `A full disk is a failure, and a reader that has enough is none`(command: String) throws {
      let full = try playground.shell("$SEGUE \(command) >/dev/full")
      #expect(full.status == 1 && full.errors.contains("No space left"))
      let early = try playground.shell("$SEGUE \(command) | true; exit ${PIPESTATUS[0]}")
      #expect(early.status == 0 && early.errors.isEmpty)
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func `A standard stream that is missing does no harm to files`(streams: String) throws {
      let noise = Noise(seed: 7, frames: 44_100)
      try noise.write("noise.flac", in: playground.directory)
      let outcome = try playground.shell("$SEGUE play ./noise.flac --output raw:out.raw \(streams)")
      #expect(outcome.status == 0)
      #expect(PCM.samples(try playground.bytes("out.raw"), depth: .bits16) == noise.samples)
    }
  }
}
