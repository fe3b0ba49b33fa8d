// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import TestSupport
import Testing

@testable import Commands

/// The command `set`, without the settings file, which belongs to the process.
struct SetCommandTests {
  private let repl: CommandSession

  init() throws { repl = try CommandSession() }

  @Test func `Settings of the player change at once`() throws {
    _ = try repl.execute("set volume=40 repeat=all consume=on replay-gain=album preamp=-3 crossfade=4")
    let state = repl.session.services.playback.state
    #expect(state.volume.percent == 40 && state.replayGain.mode == .album && state.replayGain.preamp == -3)
    #expect(state.crossfade.duration == .seconds(4) && !state.crossfade.withinAlbums)
    #expect(repl.queue.modes.repeat == .all && repl.queue.modes.consume)
    _ = try repl.execute("set crossfade-albums=on")
    #expect(repl.session.services.playback.state.crossfade.duration == .seconds(4))
    #expect(repl.session.services.playback.state.crossfade.withinAlbums)
    _ = try repl.execute("set volume +10")
    #expect(repl.session.services.playback.state.volume.percent == 50)
    _ = try repl.execute("set stop-after=current")
    #expect(repl.queue.modes.stopAfter == .current)
  }

  @Test(arguments: [
    ("set them=light", "unknown setting \"them\"; did you mean \"theme\"?"),
    ("set volume=loud", "invalid volume \"loud\": use 0 to 100, +5 or -5"),
    ("set theme=light", "theme takes effect when Segue is started next: add --save to write it to the file"),
    ("set volume=5 --save", "volume is stored with the queue, and not a setting of the file: leave out --save"),
    ("set volume=5 x", "\"x\" is no assignment: use NAME=VALUE, as in theme=light"),
    ("set repeat=sometimes", "modes.repeat cannot be \"sometimes\": use off, all, one, album"),
  ])
  func `An invalid assignment is refused, and nothing is changed`(line: String, message: String) throws {
    #expect(repl.error(line)?.message == message)
    #expect(repl.error("set volume=7 crossfade=90")?.status == .usage)
    #expect(repl.session.services.playback.state.volume == .full)
  }

  @Test func `Without arguments, the settings are listed, and a name alone shows its value`() throws {
    #expect(try repl.execute("set") == repl.execute("config"))
    #expect(try repl.execute("set replay-gain") == ["off"])
    #expect(repl.error("set nosuchthing")?.status == .usage)
  }
}

/// Errors of the argument parser in the words of Segue.
struct CommandLineProblemTests {
  private static func message(_ words: [String], _ root: any ParsableCommand.Type) throws -> String {
    let error = try #require(throws: (any Error).self) { try root.parseAsRoot(words) }
    return CommandLineProblem(words, in: root).error(root.message(for: error)).message
  }

  @Test(arguments: [
    ("queue play", "`queue play` needs POS, as in `segue queue play 3`; see `segue help queue play`"),
    ("seek", "`seek` needs POSITION, as in `segue seek 1:30`; see `segue help seek`"),
    ("status --jason", "unknown option --jason; did you mean --json?"),
    ("pause --frob", "unknown option --frob; see `segue help pause`"),
    ("pause don't", "`pause` takes no \"don't\"; see `segue help pause`"),
    ("pause now", "`pause` takes no \"now\"; see `segue help pause`"),
    ("queue swap 1 2 3 4", "`queue swap` takes no \"3\" \"4\"; see `segue help queue swap`"),
    ("queue --limit", "--limit needs a value; see `segue help queue`"),
    ("queue --limit x", "invalid --limit \"x\"; see `segue help queue`"),
    ("completions tcsh", "invalid SHELL \"tcsh\": use one of bash, zsh or fish; see `segue help completions`"),
    ("queue undo 0", "invalid number of edits \"0\": use 1 or more; see `segue help queue undo`"),
    ("pause --quiet=1", "--quiet takes no value; see `segue help pause`"),
    ("playlist add x y --items 1", "use either QUERY or --items; see `segue help playlist add`"),
  ])
  func `A mistake is answered with what to type instead`(line: String, message: String) throws {
    #expect(try Self.message(line.split(separator: " ").map(String.init), SegueCommand.self) == message)
  }

  @Test func `The REPL refers to its own help and examples`() throws {
    #expect(
      try Self.message(["queue", "play"], ReplWord.self)
        == "`queue play` needs POS, as in `queue play 3`; see `help queue play`")
  }

  @Test(arguments: SegueCommand.configuration.subcommands + QueueCommand.configuration.subcommands)
  func `No message has the words of the parser`(command: any ParsableCommand.Type) throws {
    for words in [["--nosuch"], ["a", "b", "c", "d", "e", "f"], [], ["--limit"], ["--json=1"]] {
      guard let error = (Result { try command.parseAsRoot(words) }).failure else { continue }
      let text = CommandLineProblem(words, in: SegueCommand.self).error(command.message(for: error)).message
      for word in ["Unknown", "Missing", "Unexpected", "unexpected arguments", "expected argument", ".;", "The value"] {
        #expect(!text.contains(word), "\(text)")
      }
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
