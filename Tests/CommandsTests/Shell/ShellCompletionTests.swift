// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Testing

@testable import Commands

struct ShellCompletionTests {
  private let completion = ShellCompletion { _ in
    FakeCompletions(
      albumNames: ["Kind of Blue", "Kind of Magic", "A Kind of Hush", "Tab\tLine\n", "\u{1B}[2J"],
      trackNames: ["Kind of Blue": ["So What", "Blue in Green"]],
      valueNames: [.artist: ["Miles Davis"]], playlistNames: ["Evening"])
  }

  @Test(arguments: [
    (["play", "kin"], ["Kind of Blue", "Kind of Magic"]), (["play", "hush"], ["A Kind of Hush"]),
    (["play", "tab"], ["Tab Line "]), (["play", "Kind of Blue", "b"], ["Blue in Green"]),
    (["playlist", "load", "e"], ["Evening"]), (["albums", "artist:mi"], ["artist:\"Miles Davis\""]),
    (["albums", "artist:x"], []), (["replaygain", "a"], ["album", "auto"]),
    (["play", "--depth", ""], ["16", "24", "32"]),
    (["play", "--volume", "5"], []), (["frobnicate", "x"], []), (["completions", "f"], ["fish"]),
    (["albums", "jazz", "-genre:"], []), (["play", "--volume=5"], []), (["play", "--nosuch=5"], []),
  ])
  func `Words in a shell are completed as in the REPL`(words: [String], candidates: [String]) {
    #expect(completion.answer(["zsh"] + words) == .words(candidates, isOpen: false))
  }

  @Test(arguments: [
    (["play", "./x"], ShellCompletion.Answer.files), (["play", "nosuch"], .files), (["gain", "~/M"], .files),
    (["play", "--library", "x"], .directories), (["play", "--library=x"], .directories),
    (["serve", "--socket", ""], .files),
    (["albums", "gen"], .words(["genre:"], isOpen: true)),
    (["play", "albumart"], .words(["albumartist:"], isOpen: true)),
    (["play", "--output", "w"], .words(["wav:\tA WAV file"], isOpen: true)),
  ])
  func `Paths are left to the shell, and unfinished words are open`(
    words: [String], answer: ShellCompletion.Answer
  ) {
    #expect(completion.answer(["zsh"] + words) == answer)
  }

  @Test func `Commands and options come with their descriptions`() {
    guard case .words(let commands, false)? = completion.answer(["zsh", "pla"]) else {
      Issue.record("no words")
      return
    }
    #expect(commands == ["play\tPlay an album, or resume playback.", "playlist\tList, play and change playlists."])
    guard case .words(let options, false)? = completion.answer(["fish", "volume", "--so"]) else {
      Issue.record("no words")
      return
    }
    #expect(options.count == 1 && options[0].hasPrefix("--socket\tSocket of"))
  }

  @Test func `Without a command, the options of the REPL are completed`() {
    let lines = completion.answer(["zsh", "--"])?.lines ?? []
    for option in ["--help", "--version", "--library", "--plain", "--output"] {
      #expect(lines.count { $0.hasPrefix(option + "\t") } == 1, "\(option)")
    }
    #expect(completion.answer(["fish", "-"])?.lines == lines)
    #expect(completion.answer(["zsh", "--plain", "--library", ""]) == .directories)
    #expect(completion.answer(["zsh", "--library=x"]) == .directories)
    #expect(completion.answer(["zsh", "--plain", "pl"]) == .words([], isOpen: false))
  }

  @Test func `fish gets letters in the typed case, and its quotation marks are parsed`() {
    #expect(
      completion.answer(["fish", "albums", "artist:mi"]) == .words(["artist:\"miles Davis\""], isOpen: false))
    #expect(completion.answer(["fish", "play", "\"kind of b"]) == .words(["Kind of Blue"], isOpen: false))
  }

  @Test(arguments: [[], ["tcsh", "x"], ["bash", "segue play"], ["bash", "# x", "x"], ["bash", "", ""]])
  func `An invalid request has no answer`(arguments: [String]) {
    #expect(completion.answer(arguments) == nil)
  }
}

struct BashLineTests {
  @Test(
    arguments: [
      ("Kind of Blue", nil, #"Kind\ of\ Blue"#), ("a'b\"c", nil, #"a\'b\"c"#),
      ("$(x)`y`", nil, #"\$\(x\)\`y\`"#),
      ("Kind of Blue", "\"", "Kind of Blue"), ("a\"b$c!d", "\"", #"a\"b\$c"'!'"d"#),
      ("it's", "'", #"it'\''s"#),
      ("夜 曲", nil, #"夜\ 曲"#), ("a:b=c", nil, #"a\:b\=c"#), ("x\"", "\"", #"x\"""#),
      ("e\u{301}", nil, "e\u{301}"),
    ] as [(String, Character?, String)])
  func `A text is quoted according to the open quotation mark`(text: String, mark: Character?, quoted: String) {
    #expect(BashQuoting.text(text, within: mark) == quoted)
  }

  @Test(
    arguments: [
      ("segue play ", "", "", "Blue", "Blue"), ("segue play kin", "kin", "kin", "Kind of", #"Kind\ of"#),
      ("segue play \"kin", "kin", "kin", "Kind of", "Kind of"),
      ("segue albums artist:co", "co", "artist:co", "artist:\"X Y\"", #"\"X\ Y\""#),
      ("segue play foo:b", "b", "foo:b", "Foo: Bar", #"\ Bar"#),
      ("segue play Kind\\ o", "Kind\\ o", "Kind o", "Kind of", #"Kind\ of"#),
      ("segue play other:b", "b", "other:b", "Foo: Bar", nil),
      ("segue play --sort=al", "al", "--sort=al", "--sort=album", "album"),
    ] as [(String, String, String, String, String?)])
  func `Only the part that bash's editor replaces is replaced`(
    line: String, edited: String, word: String, candidate: String, replacement: String?
  ) throws {
    let line = try #require(BashLine(line, edited: edited))
    #expect(line.word.text == word)
    #expect(line.replacement(candidate) == replacement)
  }
}
