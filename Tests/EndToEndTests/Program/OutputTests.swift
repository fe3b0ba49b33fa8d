// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The output of a running player is changed.
  @Suite struct OutputTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func segue(_ arguments: String...) throws -> Playground.Outcome {
      try playground.run(Playground.program.string, arguments)
    }

    /// Returns the name of the output that is open; `nil` if none is.
    private func output() throws -> String? {
      let status = try JSONSerialization.jsonObject(with: Data(segue("status", "--json").output.utf8))
      return ((status as? [String: Any])?["output"] as? [String: Any])?["name"] as? String
    }

    @Test func `What repeats is not written to a file, which would never end`() throws {
      let player = try TerminalSession(playground, ["play", "ground", "--output", "silent", "--plain"])
      // Without a player, `mode` changes what is stored, and succeeds, too.
      try waitFor("the player") { try segue("volume").status == 0 }
      #expect(try segue("mode", "repeat", "all").status == 0)
      let refused = try segue("outputs", "use", "wav:\(playground["x.wav"])")
      #expect(refused.status == 1 && refused.errors.contains("would never end"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: playground["x.wav"]))
      #expect(try segue("loop", "0:01", "0:02").status == 0)
      #expect(try segue("mode", "repeat", "off").status == 0)
      #expect(try segue("outputs", "use", "wav:\(playground["x.wav"])").errors.contains("would never end"))
      #expect(try segue("loop", "off").status == 0)
      #expect(try segue("outputs", "use", "wav:\(playground["x.wav"])").status == 0)
      #expect(player.exitStatus() == 0)
      #expect(FileManager.default.fileExists(atPath: playground["x.wav"]))
    }

    @Test func `A list of preferred outputs is saved, listed and followed`() throws {
      for (name, part) in [
        ("fifo:/tmp/x", "is no device"), ("wav:x.wav", "is no device"), ("./x", "is no device"),
        ("alsa:hw:1", "is not known"), ("", "no output driver given"),
      ] {
        let refused = try segue("outputs", "prefer", "silent", name)
        #expect(refused.status == 2 && refused.errors.contains(part), "\(refused)")
        #expect(refused.errors.filter { $0 == "\n" }.count == 1, "\(refused)")
      }
      #expect(try segue("outputs", "prefer").output.isEmpty)
      #expect(try segue("outputs", "prefer", "pulse:nowhere", "silent", "silent").status == 0)
      #expect(try segue("outputs", "prefer").output == "pulse:nowhere\nsilent\n")
      let lines = try segue("outputs").output.split(separator: "\n").map(String.init)
      #expect(lines.contains { $0.hasPrefix("2  silent ") } && lines.last?.hasPrefix("1  pulse:nowhere ") == true)
      #expect(try segue("outputs", "--plain").output.contains("pulse:nowhere; not available; preferred 1\n"))
      let server = try TerminalSession(playground, ["serve"])
      #expect(server.shows("listening on \(playground["state/socket"])"))
      #expect(try segue("play", "ground").status == 0)
      try waitFor("the silent output") { try output() == "silent" }
      // Nothing of the new list is there.
      #expect(try segue("outputs", "prefer", "pulse:nowhere").status == 0)
      #expect(server.shows("paused: none of the preferred outputs is available"))
      func isPaused() throws -> Bool { try segue("status", "--json").output.contains(#""phase":"paused""#) }
      try waitFor("the pause") { try isPaused() }
      #expect(try segue("resume").status == 0)
      try waitFor("the second pause") {
        server.text.components(separatedBy: "paused: none of the preferred outputs is available").count == 3
      }
      try waitFor("the pause") { try isPaused() }
      #expect(try segue("set", "outputs=pulse:nowhere, silent").status == 0)
      #expect(try segue("resume").status == 0)
      try waitFor("the silent output") { try output() == "silent" }
      #expect(try segue("outputs", "prefer", "none").status == 0)
      #expect(try segue("outputs", "prefer").output.isEmpty)
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
      // An output that is named has precedence.
      #expect(try segue("outputs", "prefer", "pulse:nowhere").status == 0)
      #expect(try segue("play", "ground", "--output", "silent:100").status == 0)
      let refused = try segue("play", "ground")
      #expect(refused.status != 0, "\(refused)")
      #expect(refused.errors.contains("none of the preferred outputs is available"), "\(refused)")
      #expect(refused.errors.filter { $0 == "\n" }.count == 1, "\(refused)")
    }

    @Test func `Another output is used while music plays, and one that does not open changes nothing`() throws {
      #expect(try segue("outputs", "use", "silent").status == 8)
      let server = try TerminalSession(playground, ["serve", "--output", "silent"])
      #expect(server.shows("listening on \(playground["state/socket"])"))
      #expect(try segue("play", "ground").status == 0)
      #expect(
        try playground.shell("mkfifo fifo && (timeout 30 sh -c 'while cat fifo; do :; done' >/dev/null &)").status == 0)
      let used = try segue("outputs", "use", "fifo:\(playground["fifo"])")
      #expect(used.status == 0 && used.errors.isEmpty, "\(used)")
      #expect(try output() == playground["fifo"])
      for (name, status) in [("nosuch", 1), ("fifo", 2), ("wav:x.wav", 2), ("", 2)] {
        let outcome = try segue("outputs", "use", name)
        #expect(outcome.status == Int32(status) && outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome)")
      }
      #expect(try output() == playground["fifo"])
      let told = try segue("status").output
      #expect(told.contains("the output has not changed"), "\(told)")
      #expect(try segue("pause").status == 0)
      #expect(try segue("outputs", "use", "silent").status == 0)
      #expect(try segue("resume").status == 0)
      try waitFor("the silent output") { try output() == "silent" }
      #expect(try !segue("status").output.contains("the output has not changed"))
      #expect(try segue("play", "parlour", "--output", "fifo:/x").errors.contains("segue outputs use fifo:/x"))
      server.send(SIGTERM)
      #expect(server.exitStatus() == 143)
    }
  }
}
