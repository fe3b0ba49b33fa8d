import ArgumentParser
import MusicModel
import SystemPackage
import Tagging
import Testing

@testable import SegueCommands

struct SettingsTests {
  private static let file = FileSettings(
    "buffer = 400\nrate = 48000\nreplay-gain = \"album\"\ncrossfade-albums = true\n", place: "config.toml",
    commands: [])

  private static func options(_ words: String...) throws -> PlayerOptions {
    try #require(try SegueCommand.parseAsRoot(["play", "x"] + words) as? PlayCommand).options
  }

  @Test func `An option comes before the environment, that before the file, and that before the default`()
    throws
  {
    let environment = ["SEGUE_RATE": "44100", "SEGUE_REPLAY_GAIN": "track"]
    let settings = Settings(file: Self.file, environment: { environment[$0] })
      .choosing(try Self.options("--replay-gain", "auto").given)
    #expect(settings.faults.isEmpty)
    #expect(
      settings[.replayGain] == .text("auto") && settings.origin(of: .replayGain) == .option("--replay-gain"))
    #expect(settings[.rate] == .whole(44100) && settings.origin(of: .rate) == .environment("SEGUE_RATE"))
    #expect(settings[.buffer] == .whole(400) && settings.origin(of: .buffer) == .file(line: 1))
    #expect(settings[.depth] == nil && settings.origin(of: .depth) == .standard)
  }

  @Test func `A player that starts takes what the options leave open from the settings`() throws {
    let settings = Settings(file: Self.file, environment: { _ in nil })
    let filled = try Self.options("--buffer", "100", "--no-crossfade-albums", "--volume", "7").filled(
      from: settings)
    #expect(filled.buffer == 100 && filled.rate == 48000 && filled.replayGain == "album")
    #expect(filled.crossfadeAlbums == false && filled.volume == 7 && filled.output == nil)
    // The setting alone is no mistake, as the option alone is.
    #expect(try Self.options().filled(from: settings).crossfadeAlbums == nil)
    #expect(try Self.options("--crossfade", "2").filled(from: settings).crossfadeAlbums == true)
  }

  @Test(arguments: [
    ("SEGUE_BUFFER", "loud", "$SEGUE_BUFFER: \"loud\" does not hold: write 50 to 2000 milliseconds"),
    ("SEGUE_DEPTH", "8", "$SEGUE_DEPTH: \"8\" does not hold: write 16, 24 or 32 bits"),
    ("SEGUE_PAUSE_ON_LOSS", "x", "$SEGUE_PAUSE_ON_LOSS: \"x\" does not hold: write true or false"),
  ])
  func `A variable that makes no sense is named, and what comes below it holds`(
    variable: String, text: String, fault: String
  ) {
    let settings = Settings(file: Self.file, environment: { $0 == variable ? text : nil })
    #expect(settings.faults.map(\.description) == [fault])
    #expect(settings[.buffer] == .whole(400) && settings[.depth] == nil)
  }

  @Test func `A variable may say it as one types it`() {
    let environment = [
      "SEGUE_PAUSE_ON_LOSS": "1", "SEGUE_PREAMP": "-3.5", "SEGUE_OUTPUT": "silent", "SEGUE_LIBRARY": "music",
    ]
    let settings = Settings(file: nil, environment: { environment[$0] })
    #expect(settings.faults.isEmpty && settings[.pauseOnLoss] == .flag(true))
    #expect(settings[.preamp] == .number(-3.5) && settings[.output] == .text("silent"))
    #expect(settings[.library] == .paths(["music"]))
  }

  @Test func `The library may be several directories, by option, by variable and by the file`() throws {
    let file = FileSettings("library = [\"~/Music\", \"/srv/a:b\"]", place: "c", commands: [])
    let settings = Settings(file: file, environment: { _ in nil })
    #expect(settings[.library] == .paths(["~/Music", "/srv/a:b"]) && settings.library.paths.count == 2)
    #expect(settings.library.paths.last == "/srv/a:b")
    let named = Settings(file: file, environment: { $0 == "SEGUE_LIBRARY" ? "/a::b c:" : nil })
    #expect(named[.library] == .paths(["/a", "b c"]))
    #expect(Settings(file: nil, environment: { $0 == "SEGUE_LIBRARY" ? ":" : nil }).faults.count == 1)
    let chosen = try named.choosing(Self.options("--library", "/x", "--library", "y:z").given)
    #expect(chosen[.library] == .paths(["/x", "y:z"]) && chosen.origin(of: .library) == .option("--library"))
    for text in ["library = []", "library = [\"/a\", 1]", "library = [\"/a\", \"b\"]", "library = true"] {
      let wrong = FileSettings(text, place: "c", commands: [])
      #expect(wrong.values.isEmpty && wrong.faults.count == 1)
    }
  }

  @Test func `The modes of a new queue, the keys and the step are what the file says`() {
    let file = FileSettings(
      "volume-step = 2\non-hangup = \"keep\"\nlibrary = \"/m\"\nmodes = { random = \"albums\", consume = true }\nkeys.next = \"j\"",
      place: "c", commands: [])
    let settings = Settings(file: file, environment: { _ in nil })
    #expect(settings.modes.random == .albums && settings.modes.consume && settings.modes.repeat == .off)
    #expect(
      settings.volumeStep == 2 && settings.keepsPlayingOnHangup && settings.library == LibraryRoots("/m"))
    #expect(settings.keyBindings.action(of: .character("j")) == .next)
    #expect(settings.keyBindings.action(of: .character("n")) == nil)
    #expect(
      Settings().modes == QueueModes() && Settings().volumeStep == 5 && !Settings().keepsPlayingOnHangup)
  }
}

struct AliasExpansionTests {
  private static let expansion = AliasExpansion(
    aliases: [
      "jazz": .init(value: "play 'genre:jazz -live'", line: 1),
      "j": .init(value: "jazz --volume 50", line: 2),
      "a": .init(value: "b 1", line: 3), "b": .init(value: "a 2", line: 4), "me": .init(value: "me", line: 5),
      "play": .init(value: "stop", line: 6),
    ], commands: { ["play", "stop"] })

  @Test(arguments: [
    (["jazz"], ["play", "genre:jazz -live"]), (["jazz", "x y"], ["play", "genre:jazz -live", "x y"]),
    (["j", "--volume", "3"], ["play", "genre:jazz -live", "--volume", "50", "--volume", "3"]),
    (["play", "jazz"], ["play", "jazz"]), (["nosuch"], ["nosuch"]), ([], []),
  ])
  func `An alias stands for its words, and never for a command`(words: [String], expanded: [String]) throws {
    #expect(try Self.expansion.expanded(words) == expanded)
  }

  @Test func `Aliases that lead back to themselves are an error`() {
    let error = #expect(throws: CommandError.self) { try Self.expansion.expanded(["a"]) }
    #expect(error == CommandError(.usage, "the alias 'a' leads back to itself: a → b → a"))
    #expect(throws: CommandError.self) { try Self.expansion.expanded(["me"]) }
  }

  @Test func `The names of all commands and words are known`() {
    for name in ["play", "queue", "config", "repl", "quit", "exit", "filter", "help"] {
      #expect(CommandName.all.contains(name))
    }
    #expect(!CommandName.all.contains(""))
  }
}
