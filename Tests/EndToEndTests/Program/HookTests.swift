// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Programs that are run at events.
  @Suite struct HookTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Writes the settings file, in which `program` runs at `event`.
    private func set(_ event: String, _ program: String) throws {
      try playground.directory.write(
        "[hooks]\n\(event) = \"\(program)\"\n".utf8, to: "home/.config/segue/config.toml")
    }

    /// Plays an album without a terminal to its end, and returns what went wrong.
    private func play() throws -> String {
      let outcome = try playground.segue("play", "Ground and Air", "--output", "raw:/dev/null")
      #expect(outcome.status == 0)
      return outcome.errors
    }

    @Test(arguments: ["track", "state", "end"])
    func `A program runs at each event, the first and the last one, too`(event: String) throws {
      let log = playground["log"]
      let program = try playground.directory.writeProgram(
        "#!/bin/sh\nread -r line\necho \"$SEGUE_EVENT $SEGUE_STATE $SEGUE_POSITION $line\" >> '\(log)'\n", to: "hook")
      try set(event, program.string)
      #expect(try play() == "")
      let expected = ["track": 4, "state": 2, "end": 1][event]
      func lines() -> [Substring] {
        String(decoding: (try? playground.bytes("log")) ?? [], as: UTF8.self).split(separator: "\n")
      }
      #expect(eventually { lines().count == expected }, "\(lines())")
      #expect(lines().allSatisfy { $0.hasPrefix(event) && $0.contains("\"event\":\"\(event)\"") })
    }

    @Test func `A program that hangs delays nothing, and one that there is not is reported once`() throws {
      let program = try playground.directory.writeProgram("#!/bin/sh\nexec sleep 5\n", to: "hook")
      try set("track", program.string)
      #expect(try play() == "")
      try set("track", "no-such-program")
      let errors = try play()
      #expect(errors.components(separatedBy: "no-such-program").count == 2, "\(errors)")
    }
  }
}
