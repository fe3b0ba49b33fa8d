// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The messages of all commands in all kinds of trouble: each is a sentence, without internal names.
  @Suite(.serialized) struct ErrorMessages {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Command lines that cover every command. None of them plays or waits if there is a problem.
    private static let commandLines = [
      "albums", "tracks ground", "artists", "genres", "problems", "search ground", "albums foo:", "scan",
      "gain ground", "gain --all", "config", "config volume", "outputs", "outputs use nosuch", "doctor",
      "outputs prefer", "outputs prefer nosuch", "outputs prefer fifo:x", "outputs prefer none",
      "doctor --redact", "filter genre:x",
      "completions bash",
      "play nosuch", "play ground 99", "play ground --output nosuch", "play ground --rate 1", "play ./nosuch.flac",
      "play-chosen album 99", "resume --output nosuch", "pause", "toggle", "next", "previous", "stop", "seek 5",
      "seek x", "chapter", "chapter 99", "chapter next", "chapter x", "loop", "loop 1 2", "loop 2 1",
      "loop mark", "loop x", "speed 1.5", "speed x", "volume 30", "volume x", "replaygain off", "replaygain x",
      "crossfade 3", "crossfade x", "sleep 5m", "sleep x", "queue", "queue list --json", "queue play 99",
      "queue add ground", "queue add nosuch",
      "queue next parlour", "queue insert 1 ground", "queue remove 99", "queue remove 1", "queue move 1 2",
      "queue swap 1 2", "queue crop 1", "queue dedupe", "queue shuffle", "queue sort title", "queue sort x",
      "queue undo", "queue redo", "queue history", "queue save ./nosuch/x", "queue save ./lists/a.m3u",
      "queue load nosuch", "playlist", "playlist show nosuch", "playlist play nosuch", "playlist add nosuch ground",
      "playlist rename nosuch x", "playlist create x ground", "playlist create x foo:", "queue use", "queue use work",
      "queue forget nosuch", "scrobble login", "scrobble status", "scrobble logout", "scrobble send", "info",
      "info ground", "info nosuch", "set", "set volume=30", "set theme=light",
      "queue lists", "queue append nosuch ground", "queue delete nosuch", "queue clear", "mode", "mode repeat all",
      "mode x y", "status", "status --json", "now --json", "quit", "repl", "screen", "lyrics", "lyrics ./nosuch.flac",
      "rate 4", "rate 4.7", "rate 3 nosuch", "like", "like nosuch", "ratings export", "ratings import nosuch",
      "ratings write", "ratings write rating:7", "history",
      "equalizer", "equalizer list", "equalizer show nosuch", "equalizer use nosuch", "equalizer set 99 x",
      "equalizer set 3 2.5", "equalizer preamp x", "equalizer bypass", "equalizer import nosuch",
      "equalizer delete nosuch", "rate --album 4", "rate --album 4 nosuch",
      "history clear", "history --period x", "stats", "stats --year 0", "serve --output raw:nosuch",
      "serve --listen nosuch:x", "serve --passwords nosuch", "frobnicate", "play --frobnicate",
    ]

    /// Texts that must not occur in a message: names of Swift types and cases, and printed Swift values.
    private static let internalTexts = [
      "Error(", "ElsewhereError", "Failure(", "Problem(", "Optional(", "Errno(", "Code(", "status:", "choices:", "GRDB",
      "NSError", "Domain=", "Swift.", "SQLite error", "Fatal", "PlayerError", "Segue.", ": nil",
      "FilePath(", "[:]", "file:///",
    ]

    /// Runs the script `condition` and then all commands in a new playground, and expects each to print sentences.
    private static func checkAll(under condition: String) throws {
      let playground = try Playground()
      let commands = commandLines.map { line in
        """
        echo "< \(line.replacing("\"", with: ""))" >>errors
        timeout 20 $SEGUE \(line) </dev/null >>output 2>>errors; echo "> $?" >>errors
        """
      }
      let script = """
        export SEGUE_PLAYLISTS=$PWD/lists
        \(condition)
        \(commands.joined(separator: "\n"))
        [ -z "$player" ] || { kill $player; wait $player; } 2>/dev/null
        cat errors
        """
      let outcome = try playground.shell(script)
      var command = ""
      for line in outcome.lines {
        if line.hasPrefix("< ") {
          command = line
        } else if line.hasPrefix("> ") {
          #expect((0...9).contains(Int(line.dropFirst(2)) ?? -1), "\(condition): \(command): \(line)")
        } else {
          #expect(line.hasPrefix("segue: "), "\(condition): \(command): \(line)")
          for text in internalTexts where line.contains(text) { Issue.record("\(condition): \(command): \(line)") }
        }
      }
      #expect(outcome.lines.count >= 2 * commandLines.count, "\(condition): \(outcome.errors)")
    }

    /// A script that starts a player, and waits for it.
    private static let startPlayer =
      "$SEGUE serve --output silent >/dev/null 2>&1 & player=$!; await '[ -S state/socket ]'"

    /// Scripts that create the conditions under which the commands run; most of them cause a problem.
    private static let conditions = [
      "", "touch state", "rm -rf data; touch data", "export SEGUE_LIBRARY=$PWD/nosuch",
      "mkdir state; head -c 9000 /dev/urandom > state/state.sqlite; head -c 9000 /dev/urandom > data/index.sqlite",
      "mkdir -p state/owner.lock state/state.sqlite",
      "rm -f data/library-1.lock data/index.sqlite; mkdir data/library-1.lock data/index.sqlite",
      "mkdir state; touch state/socket state/state.sqlite", "touch lists", "export SEGUE_SOCKET=/dev/null/x",
      startPlayer, "\(startPlayer); $SEGUE play ground >/dev/null",
      "\(startPlayer); rm data/index.sqlite; mkdir data/index.sqlite",
      "ln -s /dev/full output",
    ]

    @Test func `Every command answers in sentences, whatever is wrong`() async throws {
      try await withThrowingTaskGroup { group in
        for condition in Self.conditions { group.addTask { try Self.checkAll(under: condition) } }
        try await group.waitForAll()
      }
    }

    @Test func `An error in an option leaves the state directory unchanged`() throws {
      #expect(try playground.segue("play", "ground", "--rate", "3", "--output", "raw:/dev/null").status == 2)
      #expect(try playground.shell("ls state").output.isEmpty)
    }

    @Test func `These tests cover all commands`() throws {
      let listed = try playground.segue("help").output
      let names = Set(Self.commandLines.compactMap { $0.split(separator: " ").first.map(String.init) })
      let commands = listed.split(separator: "\n").drop { !$0.hasSuffix("SUBCOMMANDS:") }.dropFirst()
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .compactMap { $0.split(separator: " ").first?.split(separator: ",").first.map(String.init) }
      #expect(commands.count > 20)
      #expect(Set(commands).subtracting(names).subtracting(["watch", "See"]) == [])
    }

    @Test func `A state directory other than the player's is refused, and the player's own is accepted`() throws {
      let outcome = try playground.shell(
        """
        \(Self.startPlayer)
        for line in 'queue add ground' 'queue remove 1' 'mode repeat all'; do
          SEGUE_SOCKET=state/socket $SEGUE $line --state-dir other; echo $?
          SEGUE_SOCKET=state/socket $SEGUE $line --state-dir state --quiet >/dev/null; echo $?
        done
        kill $player
        """)
      #expect(outcome.lines.filter { $0.count == 1 }.count == 6, "\(outcome.output) \(outcome.errors)")
      for text in Self.internalTexts { #expect(!outcome.errors.contains(text), "\(outcome.errors)") }
    }
  }
}

extension ProgramTests {
  /// Failures: each prints one line to standard error, and has its own exit status.
  @Suite(.serialized) struct Statuses {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: [
      (["frobnicate"], 2, "frobnicate"),
      (["play", "a", "--output"], 2, "--output"),
      (["play", "ground", "--output", "wav:"], 2, "wav needs a file"),
      (["play", "nosuch"], 3, "no album or track title matches"),
      (["play", "grnd and air"], 3, "did you mean \"The Clockwork Consort/Ground and Air\"?"),
      (["play", "ground", "9"], 3, "it has 4 tracks"), (["play", "/nosuch"], 3, "no such file"),
      (["albums", "nosuch"], 3, "matches nosuch"),
      (["albums", "--library", "/nosuch"], 5, "/nosuch does not exist"),
      (["play", ""], 3, "no album or track title matches"),
      (["play", "a"], 4, "matches 3 albums"), (["play", "ground", "canon"], 4, "matches 3 tracks"),
      (["albums", "--library", "/dev/null"], 5, "not a directory"),
      (["play", "/dev/zero"], 5, "not a directory"),
      (["play", "ground", "--output", "nosuch"], 6, "unknown output"),
      (["play", "ground", "--output", "wav:/nosuch/a.wav"], 6, "cannot be written"),
      (["play", "ground", "--output", "wav:/dev/full"], 6, "is the disk full"),
      (["play", "ground", "--output", "raw:/tmp/nosuch-fifo"], 2, "use fifo:/tmp/nosuch-fifo to wait for it"),
      (["serve", "--output", "raw:nosuch.raw"], 2, "use fifo:nosuch.raw to wait for it"),
      (["serve", "--output", "wav:out.wav"], 2, "use `segue play ALBUM --output wav:out.wav`"),
      (["serve", "--passwords", "nosuch", "--open", "--output", "silent"], 2, "use --passwords or --open, not both"),
      (["serve", "--socket", "/dev/null/socket", "--output", "silent"], 1, "/dev/null/socket"),
      (["serve", "--socket", "/proc/socket", "--output", "silent"], 1, "at /proc/socket: No such file or directory"),
      (["play", "/etc/passwd"], 7, "not an audio file"),
      (["queue", "add", "ground", "--state-dir", "/dev/null/x"], 1, "cannot save the queue"),
      (["play"], 7, "the queue is empty"),
    ])
    func `A failure prints one line and sets the status`(arguments: [String], status: Int32, part: String) throws {
      let outcome = try playground.run(Playground.program.string, arguments)
      #expect(outcome.status == status)
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("segue: ") == true)
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }

    @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
    func `A server that cannot create its socket ends with the reason`() throws {
      try playground.directory.makeDirectory("locked")
      try playground.directory.setPermissions(0o500, of: "locked")
      for path in ["locked/socket", "locked/new/socket"] {
        let outcome = try playground.segue("serve", "--output", "silent", "--socket", path)
        #expect(outcome.status == 1 && outcome.errors.contains("at \(path): Permission denied"), "\(outcome.errors)")
      }
    }

    @Test func `Ambiguous albums are listed on standard output`() throws {
      let outcome = try playground.segue("play", "a")
      #expect(
        outcome.lines == [
          "The Clockwork Consort/Ground and Air\tThe Clockwork Consort/Ground and Air (2024, 4 tracks)",
          "Music Box Theatre/Parlour Pieces\tMusic Box Theatre/Parlour Pieces (2023, 5 tracks)",
          "時計の楽団/日本のうた\t時計の楽団/日本のうた (2021, 3 tracks)",
        ])
    }

    @Test func `Missing music has its own status: no directory, an empty one, or nothing playable`() throws {
      let missing = try playground.segue("albums", with: ["SEGUE_LIBRARY": ""])
      #expect(
        missing.status == 5 && missing.errors.contains("home/Music does not exist; name another with --library DIR"))
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

    @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
    func `An unreadable library has its own status`() throws {
      try playground.directory.makeDirectory("locked")
      try playground.directory.setPermissions(0, of: "locked")
      #expect(try playground.segue("albums", "--library", playground["locked"]).status == 5)
    }

    @Test(arguments: [
      "help", "--help", "help play", "play --help", "help repl", "--version", "mode", "outputs", "albums",
    ])
    func `Requested output is printed, and the status is success`(line: String) throws {
      let outcome = try playground.run(Playground.program.string, line.split(separator: " ").map(String.init))
      #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors.isEmpty)
    }

    @Test func `Help describes the requested command`() throws {
      #expect(try playground.segue("help", "play").output.contains("USAGE: segue play"))
      #expect(try playground.segue("repl", input: "help volume").output.contains("USAGE: segue volume"))
    }

    @Test(arguments: ["albums", "help", "mode", "outputs"])
    func `A full disk is a failure, but a reader that stops early is not`(command: String) throws {
      let full = try playground.shell("$SEGUE \(command) >/dev/full")
      #expect(full.status == 1 && full.errors.contains("No space left"))
      let early = try playground.shell("$SEGUE \(command) | true; exit ${PIPESTATUS[0]}")
      #expect(early.status == 0 && early.errors.isEmpty)
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func `A missing standard stream does not affect files`(streams: String) throws {
      let noise = Noise(seed: 7, frames: 44_100)
      try noise.write("noise.flac", in: playground.directory)
      let outcome = try playground.shell("$SEGUE play ./noise.flac --output raw:out.raw \(streams)")
      #expect(outcome.status == 0)
      #expect(PCM.samples(try playground.bytes("out.raw"), depth: .bits16) == noise.samples)
    }
  }
}
