// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Completion with the Tab key in bash, zsh and fish.
  @Suite(.serialized) struct ShellCompletion {
    private let playground: Playground

    /// Creates albums whose names contain all the characters that are special in shells.
    init() throws {
      playground = try Playground()
      let noise = Noise(seed: 3, frames: 4_410)
      for (number, album) in [
        "Run $(touch pwned)`touch pwned`", "It's \"Q\" & !1", "Foo: Bar=Baz", "back\\slash *?[x]{a,b}",
        "夜 の 歌",
        "Ends \"", "Quotes '", "Œuvres",
      ].enumerated() {
        try noise.write(
          "music/\(number)/1.flac", in: playground.directory, "ALBUM=\(album)", "ARTIST=Miles $x",
          "TITLE=Part \(number): one's \"$x\" 100%")
      }
      try playground.directory.write("../0/1.flac\n".utf8, to: "music/Playlists/Late Evening.m3u8")
      try playground.directory.write("x".utf8, to: "some dir/a.flac")
      #expect(try playground.shell("printf x > $'x\\351y.flac'").status == 0)
    }

    /// Typed keys, and the words that the shell should then read.
    private var completions: [(keys: String, words: String)] {
      [
        ("pla\t", "<play>"), ("play --libr\t", "<play><--library>"),
        ("queue sort du\t", "<queue><sort><duration>"),
        ("play --replay-gain=al\t", "<play><--replay-gain=album>"),
        ("help queue ins\t", "<help><queue><insert>"),
        ("play run\t", "<play><Run $(touch pwned)`touch pwned`>"), ("play it\t", "<play><It's \"Q\" & !1>"),
        ("play \"it\t", "<play><It's \"Q\" & !1>"), ("play 'it\t", "<play><It's \"Q\" & !1>"),
        ("play foo\t", "<play><Foo: Bar=Baz>"), ("play \"foo: \t", "<play><Foo: Bar=Baz>"),
        ("play Foo:\t", "<play><Foo: Bar=Baz>"), ("play back\t", "<play><back\\slash *?[x]{a,b}>"),
        ("play 夜\t", "<play><夜 の 歌>"), ("play \"ends\t", "<play><Ends \">"),
        ("play 'quo\t", "<play><Quotes '>"),
        ("play 'quo\t", "<play><Quotes '>"), ("play \"quo\t", "<play><Quotes '>"),
        ("play 'Foo: Bar=Baz' par\t", "<play><Foo: Bar=Baz><Part 2: one's \"$x\" 100%>"),
        ("play Foo\\:\\ Bar\\=Baz \"par\t", "<play><Foo: Bar=Baz><Part 2: one's \"$x\" 100%>"),
        ("albums artist:Mi\t", "<albums><artist:\"Miles $x\">"),
        ("albums \"artist:Mi\t", "<albums><artist:\"Miles $x\">"),
        ("albums art\tMi\t", "<albums><artist:\"Miles $x\">"),
        ("playlist load la\t", "<playlist><load><Late Evening>"),
        ("queue add foo\t it\t", "<queue><add><Foo: Bar=Baz><It's \"Q\" & !1>"),
        ("albums gen\tx", "<albums><genre:x>"), ("config replay\t", "<config><replay-gain>"),
        ("crossfade o\t", "<crossfade><off>"),
        ("play ./som\ta\t", "<play><./some dir/a.flac>"), ("play ./x\t", "<play><./x\u{FFFD}y.flac>"),
      ]
    }

    @Test(arguments: ShellTerminal.Kind.allCases)
    private func `Tab inserts words that the shell reads as the names in the library`(kind: ShellTerminal.Kind)
      throws
    {
      let music = ["SEGUE_LIBRARY": playground["music"]]
      let playground = Playground(playground, with: music)
      #expect(try playground.segue("scan").status == 0)
      let shell = try ShellTerminal(kind, playground)
      #expect(shell.isReady())
      for (keys, words) in completions { #expect(shell.words(afterTyping: keys) == words, "\(keys)") }
      // fish offers only candidates that start with the typed text.
      if kind != .fish { #expect(shell.words(afterTyping: "play oeu\t") == "<play><Œuvres>") }
      shell.end()
      #expect(throws: (any Error).self) { try playground.bytes("pwned") }
    }

    @Test func `Completion creates no index, and prints no errors`() throws {
      let playground = try Playground(isScanned: false)
      let outcome = try playground.segue("---complete", "fish", "play", "gr")
      #expect(outcome.output == "files\n" && outcome.errors.isEmpty && outcome.status == 0)
      for words in [
        [], ["tcsh", "x"], ["bash"], ["bash", "segue play \"", "\""], ["zsh"], ["bash", "", ""],
      ] {
        let outcome = try playground.run(Playground.program.string, ["---complete"] + words)
        #expect(outcome.errors.isEmpty && outcome.status == 0)
      }
      #expect(try playground.shell("[ ! -e data ] && [ ! -e state ]").status == 0)
    }

    @Test(arguments: ShellTerminal.Kind.allCases)
    private func `The argument parser's option prints the same script as the command`(kind: ShellTerminal.Kind) throws {
      let script = try playground.segue("completions", kind.rawValue)
      #expect(script.status == 0 && script.output.contains("---complete \(kind.rawValue)"))
      #expect(try playground.segue("--generate-completion-script", kind.rawValue).output == script.output)
    }
  }
}

/// A shell on a terminal, in which `segue` is a script: it completes like the program, but only prints its arguments.
struct ShellTerminal {
  /// The shells under test.
  enum Kind: String, CaseIterable {
    case bash, zsh, fish
  }

  private static let prompt = "ready> "
  private let terminal: TerminalSession

  /// Starts a shell of `kind` with the completion script that the program prints.
  init(_ kind: Kind, _ playground: Playground) throws {
    let directory = playground.directory
    try directory.write(
      """
      #!/bin/bash
      case ${1-} in ---complete | completions) exec "$SEGUE" "$@" ;; esac
      printf 'READ'
      printf '<%s>' "$@"
      printf '.\\n'

      """.utf8, to: "bin/segue")
    try directory.setPermissions(0o755, of: "bin/segue")
    let path = "\(playground["bin"]):$PATH"
    let commonLines = ["PATH=\"\(path)\"", "PS1='\(Self.prompt)'"]
    switch kind {
    case .bash:
      let lines = commonLines + ["source <(segue completions bash)"]
      try directory.write((lines.joined(separator: "\n") + "\n").utf8, to: "bashrc")
      terminal = try TerminalSession(
        playground, ["--rcfile", playground["bashrc"], "-i"], program: "/bin/bash", columns: 200,
        isControlling: true)
    case .zsh:
      let lines = commonLines + ["autoload -Uz compinit", "compinit -D -u", "source <(segue completions zsh)"]
      try directory.write((lines.joined(separator: "\n") + "\n").utf8, to: "home/.zshrc")
      terminal = try TerminalSession(
        playground, ["-o", "noglobalrcs", "-i"], program: "/usr/bin/zsh", columns: 200, isControlling: true)
    case .fish:
      let lines = [
        "set -x PATH \(playground["bin"]) $PATH", "function fish_prompt; printf '\(Self.prompt)'; end",
        "segue completions fish | source",
      ]
      try directory.write((lines.joined(separator: "\n") + "\n").utf8, to: "start.fish")
      terminal = try TerminalSession(
        playground, ["--no-config", "-i", "-C", "source \(playground["start.fish"])"],
        program: "/usr/bin/fish",
        columns: 200, isControlling: true)
    }
  }

  /// Waits until the shell is ready.
  func isReady() -> Bool { terminal.shows(Self.prompt) }

  /// Types the program's name, `keys` and Return, and returns the arguments that the shell then passes to the program,
  /// each in angle brackets.
  func words(afterTyping keys: String) -> String? {
    terminal.discardOutput()
    terminal.type("segue " + keys + "\r")
    guard terminal.shows(">.\r\n", thenPrompt: Self.prompt) else { return nil }
    return terminal.text.components(separatedBy: "READ").last?.components(separatedBy: ".\r\n").first
  }

  /// Ends the shell.
  func end() {
    terminal.type("exit\r")
    _ = terminal.exitStatus()
  }
}
