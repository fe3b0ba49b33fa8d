// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// At random moments, kills a process that edits a queue, and compares the stored queue with the edits that the
  /// process has acknowledged.
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
        let lines = try runUntilKilled(
          seed: UInt64(round), lineCount: Int.random(in: 0...60, using: &generator), &generator)
        #expect(!lines.contains { $0.hasPrefix("fault") || $0.hasPrefix("notice") || $0 == "owned" }, "\(lines)")
        if round > 0, let restored = lines.first {
          #expect(expected.contains(String(restored.dropFirst("recalled ".count))), "round \(round)")
        }
        // The stored queue is that of the last acknowledged edit, or of a later one.
        let last = lines.lastIndex(of: "kept") ?? 0
        let acknowledged = lines[..<last].last { $0.hasPrefix("edit") } ?? lines.first
        let later = lines[last...].filter { $0.hasPrefix("edit") }
        let possible = ([acknowledged].compactMap(\.self) + later).map { String($0.split(separator: " ")[1]) }
        if !possible.isEmpty { expected = Set(possible) }
        let sum = String(
          decoding: try Tool.run(try Self.program.string, ["sum", directory.path.string]), as: UTF8.self)
        #expect(expected.contains(sum.filter { $0 != "\n" }) || lines.isEmpty, "round \(round): \(sum)")
      }
      let names = try DirectoryListing(of: directory.path).entries.map(\.name.string)
      #expect(!names.contains { $0.contains("damaged") })
    }

    /// Runs the program until it has printed this many lines, kills it a little later, and returns all complete lines
    /// of its output.
    private func runUntilKilled(seed: UInt64, lineCount: Int, _ generator: inout SeededGenerator) throws -> [String] {
      let pipe = Pipe()
      let process = try ChildProcess(
        try Self.program.string, ["edit", directory.path.string, "\(seed)"], output: pipe.fileHandleForWriting,
        errors: .standardError)
      try pipe.fileHandleForWriting.close()
      var output: [UInt8] = []
      while output.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount {
        let piece = pipe.fileHandleForReading.availableData
        if piece.isEmpty { break }
        output += piece
      }
      let pause = UInt64.random(in: 0...3_000_000, using: &generator)
      MonotonicInstant(nanoseconds: MonotonicInstant.now.nanoseconds + pause).sleep()
      process.end()
      output += pipe.fileHandleForReading.readDataToEndOfFile()
      var lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      // The last line is incomplete or empty.
      lines.removeLast()
      return lines
    }
  }
}
