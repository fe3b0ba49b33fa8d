// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Platform

extension ProgramLane {
  /// Programs of the user that are run without waiting for them.
  @Suite struct UserProgramsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the text that a program writes to a FIFO, up to its end.
    private func read(_ fifo: FilePath) throws -> String {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: fifo.string))
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    @Test func `A program gets its arguments, variables and input as they are, without a shell`() throws {
      try directory.makeFIFO("out")
      let program = try directory.writeProgram(
        "#!/bin/sh\n{ printf '%s|' \"$@\" \"$SEGUE_TITLE\" \"$HOME\"; cat; } > '\(directory["out"])'\n", to: "hook")
      let title = "$(touch x); `y` \"'\n夜"
      let programs = UserPrograms()
      try programs.start(
        [program.string, "a b", "*", "$HOME"], variables: ["SEGUE_TITLE": title, "HOME": "/nowhere"],
        input: Array("{\"event\":\"track\"}\n".utf8))
      #expect(try read(directory["out"]) == "a b|*|$HOME|\(title)|/nowhere|{\"event\":\"track\"}\n")
      #expect(eventually { programs.areIdle })
    }

    @Test func `A program that hangs is killed with what it has started`() throws {
      try directory.makeFIFO("out")
      let program = try directory.writeProgram(
        "#!/bin/sh\nsleep 1000 &\necho $$ $! > '\(directory["out"])'\nwait\n", to: "hook")
      let programs = UserPrograms(milliseconds: 200)
      try programs.start([program.string])
      let processes = try read(directory["out"]).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
      #expect(processes.count == 2)
      #expect(eventually { programs.areIdle })
      // The child of the program is collected by the system.
      #expect(eventually { processes.allSatisfy { Self.isEnded($0) } })
    }

    /// Whether a process has ended, even if nobody has collected it yet.
    private static func isEnded(_ process: pid_t) -> Bool {
      guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return kill(process, 0) != 0
      }
      return stat.split(separator: ")").last?.split(separator: " ").first == "Z"
    }

    @Test func `Only a few programs run at the same time`() throws {
      try directory.makeFIFO("in")
      let programs = UserPrograms(limit: 2)
      let words = ["cat", directory["in"].string]
      try programs.start(words)
      try programs.start(words)
      #expect(throws: UserPrograms.StartError.tooMany) { try programs.start(words) }
      let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: directory["in"].string))
      try writer.close()
      #expect(eventually { programs.areIdle })
      try programs.start(["true"])
      #expect(eventually { programs.areIdle })
    }

    @Test func `How a program has ended is reported once`() throws {
      let programs = UserPrograms(milliseconds: 200)
      let ends = Watched<[UserPrograms.End]>([])
      let all = [["sh", "-c", "exit 3"], ["true"], ["sh", "-c", "kill -TERM $$"], ["sleep", "1000"]]
      for (number, words) in all.enumerated() {
        try programs.start(words) { end in ends.change { $0.append(end) } }
        #expect(ends.wait { $0.count == number + 1 })
      }
      #expect(ends.value == [.exited(3), .exited(0), .killed(15), .killed(9)])
    }

    @Test func `A program that there is not is an error`() throws {
      let programs = UserPrograms()
      #expect(throws: UserPrograms.StartError.notFound("no-such-program")) { try programs.start(["no-such-program"]) }
      #expect(throws: UserPrograms.StartError.notFound("")) { try programs.start([]) }
      #expect(throws: UserPrograms.StartError.failed(.noSuchFileOrDirectory)) {
        try programs.start([directory["none"].string])
      }
      #expect(throws: UserPrograms.StartError.failed(.permissionDenied)) { try programs.start([directory.path.string]) }
      #expect(programs.areIdle)
    }
  }
}
