// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Kills a process that edits a queue at random moments, and compares what is stored with what it acknowledged.
  struct KillTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static var program: FilePath {
      get throws {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
        return FilePath(try #require(bundle)).removingLastComponent().appending("StateCheck")
      }
    }

    @Test func `A process killed dozens of times during edits loses none that it acknowledged`() throws {
      var generator = SeededGenerator(seed: 11)
      var expected: Set<String> = []
      for round in 0..<40 {
        let said = try runUntilKilled(
          seed: UInt64(round), lines: Int.random(in: 0...60, using: &generator), &generator)
        #expect(!said.contains { $0.hasPrefix("fault") || $0.hasPrefix("notice") || $0 == "owned" }, "\(said)")
        if round > 0, let recalled = said.first {
          #expect(expected.contains(String(recalled.dropFirst("recalled ".count))), "round \(round)")
        }
        // The last acknowledged edit counts, or a later one.
        let last = said.lastIndex(of: "kept") ?? 0
        let acknowledged = said[..<last].last { $0.hasPrefix("edit") } ?? said.first
        let later = said[last...].filter { $0.hasPrefix("edit") }
        let possible = ([acknowledged].compactMap(\.self) + later).map { String($0.split(separator: " ")[1]) }
        if !possible.isEmpty { expected = Set(possible) }
        let sum = String(
          decoding: try Tool.run(try Self.program.string, ["sum", directory.path.string]), as: UTF8.self)
        #expect(expected.contains(sum.filter { $0 != "\n" }) || said.isEmpty, "round \(round): \(sum)")
      }
      let names = try DirectoryListing(of: directory.path).entries.map(\.name.string)
      #expect(!names.contains { $0.contains("damaged") })
    }

    /// Runs the program until it has printed this many lines, kills it a little later, and returns all that it printed.
    private func runUntilKilled(seed: UInt64, lines: Int, _ generator: inout SeededGenerator) throws -> [String] {
      let pipe = Pipe()
      let process = try ChildProcess(
        try Self.program.string, ["edit", directory.path.string, "\(seed)"], output: pipe.fileHandleForWriting,
        errors: .standardError)
      try pipe.fileHandleForWriting.close()
      var said: [UInt8] = []
      while said.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
        let piece = pipe.fileHandleForReading.availableData
        if piece.isEmpty { break }
        said += piece
      }
      let pause = UInt64.random(in: 0...3_000_000, using: &generator)
      MonotonicInstant(nanoseconds: MonotonicInstant.now.nanoseconds + pause).sleep()
      process.end()
      said += pipe.fileHandleForReading.readDataToEndOfFile()
      var found = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      // The last line is incomplete.
      found.removeLast()
      return found
    }
  }
}
