// SPDX-License-Identifier: GPL-3.0-or-later

import TOMLFiles
import Testing

@testable import UserSettings

struct FileSettingsTests {
  private static func read(_ text: String) -> FileSettings {
    FileSettings(text, location: "config.toml", commands: ["play", "help"])
  }

  private static func problems(_ text: String) -> [String] { read(text).problems.map(\.description) }

  @Test func `The settings in a file are read, with their line numbers`() {
    let file = Self.read(
      """
      # What I like.
      library = "~/Music"
      buffer = 400
      preamp = -3
      pause-on-loss = true

      [modes]
      repeat = "album"

      [keys]
      next = ["b", "l"]
      x = "quit"

      [aliases]
      jazz = "play genre:jazz"
      """)
    #expect(file.problems.isEmpty)
    #expect(file.values[.library] == .init(value: .paths(["~/Music"]), line: 2))
    #expect(file.values[.buffer] == .init(value: .integer(400), line: 3))
    #expect(file.values[.preamp] == .init(value: .number(-3), line: 4))
    #expect(file.values[.pauseOnLoss] == .init(value: .flag(true), line: 5))
    #expect(file.values[.repeatMode] == .init(value: .text("album"), line: 8))
    #expect(file.bindings["b"] == .init(value: "next", line: 11))
    #expect(file.bindings["x"] == .init(value: "quit", line: 12))
    #expect(file.aliases == ["jazz": .init(value: "play genre:jazz", line: 15)])
  }

  @Test func `An unknown setting is reported with its line and the nearest name, and the rest applies`() {
    let file = Self.read("buffer = 400\nouput = \"silent\"\nrate = 48000\n")
    #expect(
      file.problems.map(\.description) == ["config.toml:2: unknown setting 'ouput' (did you mean 'output'?)"])
    #expect(file.values.keys.count == 2 && file.values[.rate]?.value == .integer(48000))
  }

  @Test(arguments: [
    ("x = 1", "config.toml:1: unknown setting 'x'"),
    ("repeat = \"all\"", "config.toml:1: unknown setting 'repeat' (did you mean 'modes.repeat'?)"),
    (
      "[modes]\nrandm = \"all\"",
      "config.toml:2: unknown setting 'modes.randm' (did you mean 'modes.random'?)"
    ),
    ("[colors]\ntitle = \"red\"", "config.toml:1: unknown setting 'colors' (did you mean 'colours'?)"),
    ("[output]\na = 1", "config.toml:1: output cannot be a table: use text in quotation marks"),
    ("\"modes.repeat\" = \"all\"", "config.toml:1: unknown setting 'modes.repeat'"),
    ("\"a\\u0000b\" = 1", "config.toml: unknown setting 'a'"),
    ("[modes.repeat]\nx = 1", "config.toml:1: modes.repeat cannot be a table: use off, all, one, album"),
    ("keys = 1", "config.toml:1: 'keys' cannot be 1: use a table, [keys]"),
    ("aliases = []", "config.toml:1: 'aliases' cannot be a list: use a table, [aliases]"),
  ])
  func `A misplaced setting is reported`(text: String, message: String) {
    let problems = Self.problems(text)
    #expect(problems.count == 1 && problems.first?.hasPrefix(message) == true, "\(problems)")
  }

  @Test(arguments: [
    ("buffer = \"long\"", "buffer cannot be \"long\": use 50 to 4000 milliseconds"),
    ("buffer = 20", "buffer cannot be 20: use 50 to 4000 milliseconds"),
    ("buffer = 400.5", "buffer cannot be 400.5: use 50 to 4000 milliseconds"),
    ("rate = 99999999999999999", "rate cannot be 99999999999999999: use 8000 to 768000 Hz"),
    ("depth = 20", "depth cannot be 20: use 16, 24 or 32 bits"),
    ("preamp = nan", "preamp cannot be nan: use -51 to 51 dB"),
    ("crossfade = inf", "crossfade cannot be inf: use 0 to 30 seconds"),
    ("replay-gain = \"loud\"", "replay-gain cannot be \"loud\": use off, track, album, auto"),
    ("replay-gain = true", "replay-gain cannot be true: use off, track, album, auto"),
    ("pause-on-loss = \"yes\"", "pause-on-loss cannot be \"yes\": use true or false"),
    ("library = \"Music\"", "library cannot be \"Music\": use a path that begins with / or ~/"),
    ("library = [\"/a\", \"b\"]", "library cannot be a list: use a path"),
    ("output = 2026-01-01", "output cannot be a date or a time: use text"),
    ("output = \"\"", "output cannot be \"\": use text in quotation marks"),
    ("outputs = [\"pulse:a\", \"fifo:/tmp/f\"]", "outputs cannot be a list: use up to 32 outputs that can be"),
    ("outputs = \"wav:a.wav\"", "outputs cannot be \"wav:a.wav\": use up to 32 outputs that can be plugged in"),
    ("outputs = [\(String(repeating: "\"pulse:a\", ", count: 10_000))]", "outputs cannot be a list: use up to 32"),
    ("outputs = [1]", "outputs cannot be a list: use up to 32 outputs"),
    ("keys.next = \"hyper-n\"", "keys.next cannot be \"hyper-n\": use a key or a list of keys"),
    ("keys.next = [1]", "keys.next cannot be a list: use a key"),
    ("colours.title = \"blod\"", "colours.title cannot be \"blod\": use words such as \"bold cyan\""),
    ("aliases.play = \"stop\"", "'play' is a command: choose another name for the alias"),
    ("aliases.\"a b\" = \"stop\"", "'a b' cannot be a command name"),
    ("aliases.\"\" = \"stop\"", "'' cannot be a command name"),
    ("aliases.j = \"play 'x\"", "the alias 'j' cannot be \"play 'x\": use words in quotation marks"),
    ("aliases.j = \"\"", "the alias 'j' cannot be \"\": use words in quotation marks"),
    ("aliases.j = 1", "the alias 'j' cannot be 1: use words in quotation marks"),
  ])
  func `An invalid value is reported with its line and the valid values, and the rest applies`(
    line: String, message: String
  ) {
    let file = Self.read("clipping = \"none\"\n\(line)\n")
    #expect(file.problems.count == 1)
    #expect(file.problems.first?.description.hasPrefix("config.toml:2: \(message)") == true, "\(file.problems)")
    #expect(Array(file.values.keys) == [.clipping] && file.aliases.isEmpty)
  }

  @Test(arguments: ["buffer = 400\nrate = = 3\n", "buffer = 400\n\nbuffer = 300\n", "a = \"\nbuffer = 400\n"])
  func `Invalid TOML is reported with its line, and nothing in the file applies`(text: String) {
    let file = Self.read(text)
    #expect(file.problems.count == 1 && file.values.isEmpty)
    #expect(file.problems.first?.location.hasPrefix("config.toml:") == true)
    #expect(file.problems.first?.message.hasSuffix("the file is ignored until this is fixed") == true)
  }

  @Test func `Keys in files of earlier versions count, except where they move in lists`() {
    let file = Self.read("[keys]\nnext = [\"b\", \"n\"]\nmeter = []\nprevious = \"j\"\n")
    #expect(file.bindings.mapValues(\.value) == ["b": "next", ">": "", "m": ""])
    #expect(
      file.problems.map(\.description) == [
        "config.toml:2: keys.next: n moves in lists", "config.toml:4: keys.previous: j moves in lists",
      ])
  }

  @Test func `The keys of another player are chosen by a word or in the table`() {
    for text in ["keys = \"cmus\"", "[keys]\npreset = \"cmus\"\nv = \"next\""] {
      let settings = Settings(file: Self.read(text)) { _ in nil }
      #expect(settings.problems.isEmpty && settings.keyBindings.keys(of: .pause).contains("c"))
      #expect(settings.keyBindings.keys(of: .stop).contains("v") == !text.contains("next"))
    }
    #expect(
      Self.problems("keys = \"vlc\"") == [
        "config.toml:1: keys.preset cannot be \"vlc\": use segue, cmus, ncmpcpp, rmpc"
      ])
    #expect(
      Self.problems("keys.add-next = \"a\"").first?.hasSuffix("write the key first, as in A = \"add-next\"") == true)
  }

  @Test func `Problems are in the order of the file`() {
    #expect(
      Self.problems("zz = 1\naa = 2\n[keys]\nb = 1\na = 1\n").map { $0.split(separator: " ")[0] } == [
        "config.toml:1:", "config.toml:2:", "config.toml:4:", "config.toml:5:",
      ])
  }

  @Test(arguments: [
    String(repeating: "[", count: 60_000), "x = " + String(repeating: "[", count: 60_000),
    "x = " + String(repeating: "{a=", count: 20_000), String(repeating: "a.", count: 30_000) + "a = 1",
    "[" + String(repeating: "a.", count: 30_000) + "a]",
    "x = \"" + String(repeating: "\\u0000", count: 10_000) + "\"",
  ])
  func `Excessive nesting is reported, and nothing in the file applies`(text: String) {
    #expect(!Self.read(text).problems.isEmpty)
    #expect(Self.read(text).values.isEmpty)
  }

  @Test func `Nesting just below the limit is parsed, valid or not`() {
    let deep = String(repeating: "a.", count: TOMLDocument.markLimit)
    #expect(Self.problems(deep + "a = 1") == ["config.toml:1: unknown setting 'a'"])
    #expect(Self.problems(deep + "a = = 1").count == 1)
  }
}

struct KeyLinesTests {
  @Test(arguments: [
    (["a"], 2), (["b"], 3), (["t"], 4), (["t", "a"], 5), (["u", "v"], 6), (["u", "v", "w"], 7),
    (["u", "v", "x"], 6), (["t", "a", "deep"], 5),
  ])
  func `A key has its own line, or that of the enclosing table`(path: [String], line: Int) {
    let lines = KeyLines("# a = 0\na = 1\n  \"b\"=2\n [ t ] # c = 1\na = { deep = 1 }\n[u.v]\nw = 1")
    #expect(lines[path] == line)
  }

  @Test func `The content of a multi-line string is not a key`() {
    let lines = KeyLines("a = \"\"\"\nb = 1\n\"\"\"\nc = '''x'''\nd = '''\nb = 2'''\nb = 3\n")
    #expect(lines[["b"]] == 7 && lines[["c"]] == 4 && lines[["d"]] == 5)
  }

  @Test func `A dotted key belongs to its table, and a missing key has no line`() {
    let lines = KeyLines("keys.next = \"j\"\r\nmodes . repeat = \"all\"\r\n")
    #expect(lines[["keys", "next"]] == 1 && lines[["keys"]] == 1 && lines[["modes", "repeat"]] == 2)
    #expect(lines[["no"]] == nil && KeyLines("")[["a"]] == nil && KeyLines("=\n[\n]\n.")[["a"]] == nil)
  }
}
