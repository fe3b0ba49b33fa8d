// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Compares the program's output with the examples in README.md.
  @Suite(.serialized) struct Readme {
    /// A command in README.md, with the output shown there.
    private struct Command {
      let text: String
      var output: [String] = []
    }

    private let playground: Playground
    private let lines: [String]

    init() throws {
      // Without colours, so that no cover is drawn: README.md cannot show one.
      playground = Playground(try Playground(), with: ["SEGUE_OUTPUT": "silent", "NO_COLOR": "1"])
      let text = try String(contentsOfFile: Playground.root.appending("README.md").string, encoding: .utf8)
      lines = text.components(separatedBy: "\n")
    }

    /// Returns the indented block that starts at a line containing `text`, without its indentation.
    private func block(from text: String) throws -> [String] {
      let start = try #require(lines.firstIndex { $0.hasPrefix("    ") && $0.contains(text) })
      var block = lines[start...].prefix { $0.isEmpty || $0.hasPrefix("    ") }.map {
        String($0.dropFirst(4))
      }
      while block.last?.isEmpty == true { block.removeLast() }
      return block
    }

    /// Returns the commands of the session at the top of README.md.
    private func commands() throws -> [Command] {
      try block(from: "$ segue").reduce(into: []) { commands, line in
        if line.hasPrefix("$ ") {
          let text = line.dropFirst(2).components(separatedBy: "  #")[0]
          commands.append(Command(text: text.trimmingCharacters(in: .whitespaces)))
        } else if !commands.isEmpty {
          commands[commands.count - 1].output.append(line)
        }
      }
    }

    /// Returns `rows` with the elapsed and remaining times and the progress bar reset.
    private func withoutProgress(_ rows: [String]) -> [String] {
      let rows = rows.drop(while: \.isEmpty).map { row in
        row.contains("━") || row.contains("─") || row.contains(" left")
          ? row.replacing("━", with: "─").replacing(#/\d:\d\d (?<end>─|left)/#) { "0:00 \($0.output.end)" }
            .replacing(#/-\d:\d\d/#, with: "-0:00") : row
      }
      return Array(rows.reversed().drop(while: \.isEmpty).reversed())
    }

    /// Opens a window with the size of the examples in README.md, in the directory of the package.
    private func openWindow() throws -> TerminalWindow {
      let window = try TerminalWindow(playground, rows: 16)
      try window.type("cd '\(Playground.root)'; clear\n")
      #expect(eventually { window.rows == ["ready$"] }, "\(window.rows)")
      return window
    }

    @Test func `The session at the top of the README`() throws {
      let commands = try commands()
      #expect(commands.map(\.text).contains { $0.hasPrefix("segue play") } && commands.count == 3)
      var player: TerminalWindow?
      for command in commands {
        let window = try openWindow()
        try window.type("clear; \(command.text)\n")
        let isView = command.text.hasPrefix("segue play")
        let golden = withoutProgress(command.output + (isView ? [] : ["ready$"]))
        #expect(eventually { withoutProgress(window.rows) == golden }, "\(window.rows.joined(separator: "\n"))")
        guard isView else { continue }
        player = window
        #expect(try eventually { try playground.segue("volume").status == 0 })
      }
      try player?.press("q")
      #expect(player?.shows(TerminalWindow.shellPrompt.dropLast()) == true)
    }

    @Test func `The README shows a picture of every screen`() throws {
      let pictures = lines.flatMap { line in
        line.matches(of: #/!\[[^\]]*\]\((?<path>[^)]+)\)/#).map { String($0.path) }
      }
      #expect(pictures.count { $0.hasPrefix("Fixtures/Screens/") } == 16)
      for path in pictures {
        #expect(FileManager.default.fileExists(atPath: Playground.root.appending(path).string), "\(path)")
      }
    }
  }
}
