// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// What commands print and how they end, compared with recorded transcripts.
  ///
  /// A file in `Tests/EndToEndTests/Golden` is a script and its transcript in one. Its lines outside of outputs are
  ///
  ///     $ COMMAND           a shell command that is run and recorded; `segue` is the built program
  ///     < TEXT              a line of the command's input
  ///     % start NAME ...    starts `segue ...` in the background, with its output in NAME.txt
  ///     % end NAME          waits until that program has ended
  ///     % await CONDITION   waits until a shell command succeeds
  ///     % run COMMAND       runs a shell command that is not recorded, and has to succeed
  ///     # TEXT              a comment
  ///
  /// A command is followed by what it prints, its errors (after `! `), and `= STATUS`. Each file has a playground of
  /// its own, with the music of ``GoldenLibrary``.
  ///
  /// To record the transcripts again after a change of the commands or of a script:
  /// `SEGUE_RECORD_GOLDEN=1 swift test ... --filter Golden`. Then read the differences.
  @Suite struct Golden {
    private static let directory = Playground.root.appending("Tests/EndToEndTests/Golden")
    private static let isRecording = ProcessInfo.processInfo.environment["SEGUE_RECORD_GOLDEN"] == "1"

    static let names = Result {
      try FileManager.default.contentsOfDirectory(atPath: directory.string).filter { $0.hasSuffix(".txt") }.sorted()
    }

    @Test(arguments: try names.get()) func `Commands print what is recorded`(name: String) throws {
      let path = Self.directory.appending(name)
      let recorded = String(decoding: try contents(of: path), as: UTF8.self)
      let actual = try GoldenRun().transcript(of: recorded)
      guard actual != recorded else { return }
      if Self.isRecording {
        try Data(actual.utf8).write(to: URL(fileURLWithPath: path.string))
      } else {
        Issue.record("\(name), \(Self.firstDifference(of: actual, from: recorded))")
      }
    }

    /// Returns the first line that differs, in both texts, and the command that printed it.
    private static func firstDifference(of actual: String, from recorded: String) -> String {
      let lines = [recorded, actual].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      let count = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
      let command = lines[0].prefix(count).last { $0.hasPrefix("$ ") } ?? ""
      let texts = lines.map { $0.dropFirst(count).first ?? "(the end)" }
      return "line \(count + 1), after `\(command)`:\n  recorded: \(texts[0])\n  now:      \(texts[1])"
    }
  }
}

/// Runs one script of shell commands, and records what they print.
private final class GoldenRun {
  /// What differs between two runs, and what is recorded instead. Everything else is compared byte for byte.
  private static let replacements = [
    // Processes, and the clock.
    (#""process":[1-9][0-9]*"#, #""process":PROCESS"#), (#"process \([0-9]+\)"#, "process (PROCESS)"),
    (#""instant":[0-9]+"#, #""instant":INSTANT"#), (#""added":1[0-9]{9}"#, #""added":TIME"#),
    (#"added(:| {11}) [0-9]{4}-[0-9]{2}-[0-9]{2}"#, "added$1 DATE"),
    // The IDs in the index depend on the order in which threads read the files.
    (#"("added":TIME.*?"id":)[0-9]+"#, "$1ID"), (#""albumID":[0-9]+"#, #""albumID":ID"#),
    // The first seconds of a track that plays, and the time until a sleep timer ends.
    (#""elapsed":[0-9]+\.[0-9]+"#, #""elapsed":SECONDS"#), (#"time {8}0:[0-9]{2} of"#, "time        0:SS of"),
    (#"time: [0-9]+ seconds? of"#, "time: N seconds of"), (#""sleep":[0-9.]+"#, #""sleep":SECONDS"#),
    (#"stops in [0-9:]+"#, "stops in TIME"),
    // How often the silent output ran dry on a busy machine, and how large SQLite's files are.
    (#""underruns":[0-9]+"#, #""underruns":N"#), (#", [0-9]+ bytes,"#, ", N bytes,"),
  ]

  private let playground: Playground
  private var programs: [String: ChildProcess] = [:]

  init() throws {
    let directory = try Playground(isScanned: false)
    try GoldenLibrary.make(in: directory)
    playground = Playground(directory, with: ["SEGUE_LIBRARY": directory["music"], "COLUMNS": "80"])
  }

  deinit { for program in programs.values { program.end() } }

  /// Returns the script in `recorded`, with what its commands print now.
  func transcript(of recorded: String) throws -> String {
    var lines = recorded.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var transcript: [String] = []
    while let line = lines.popFirst() {
      transcript.append(String(line))
      if line.hasPrefix("$ ") {
        let input = lines.prefix { $0.hasPrefix("< ") }
        transcript += input.map(String.init)
        transcript += try output(of: line.dropFirst(2), input: input.map { $0.dropFirst(2) + "\n" }.joined())
        // A command that has just been written has no output yet.
        let end = lines.firstIndex { $0.hasPrefix("= ") || $0.hasPrefix("$ ") || $0.hasPrefix("% ") } ?? lines.endIndex
        let isRecorded = lines[..<end].count < lines.count && lines[end].hasPrefix("= ")
        lines = isRecorded ? lines[(end + 1)...] : lines.dropFirst(input.count)
      } else if line.hasPrefix("% ") {
        try perform(line.dropFirst(2).split(separator: " ", maxSplits: 1).map(String.init))
      }
    }
    return transcript.joined(separator: "\n")
  }

  private func output(of command: Substring, input: String) throws -> [String] {
    let outcome = try shell(String(command), input: input)
    var output = outcome.output
    if command.hasPrefix("segue repl") {
      // Nothing waits until a track that a line has requested is open, and so has a format.
      output.replace(/(?m)^( {2})?(file|decoder|output|path)(:| {2}).*\n/, with: "")
    }
    return lines(output) + lines(outcome.errors).map { "! \($0)" } + ["= \(outcome.status)"]
  }

  private func shell(_ command: String, input: String = "") throws -> Playground.Outcome {
    try playground.run("/bin/bash", ["-c", "segue() { \"$SEGUE\" \"$@\"; }; \(command)"], input: Array(input.utf8))
  }

  /// Returns the lines of `text`, without what differs between runs.
  private func lines(_ text: String) -> [String] {
    var text = text.replacing(playground.directory.path.string, with: "$DIR")
    for (pattern, replacement) in Self.replacements {
      text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines + ["\\ no newline at the end"]
  }

  private func perform(_ words: [String]) throws {
    let (step, text) = (words[0], words.count > 1 ? words[1] : "")
    switch step {
    case "start":
      let arguments = text.split(separator: " ").map(String.init)
      let file = try playground.directory.write([], to: "\(arguments[0]).txt")
      let output = try FileHandle(forWritingTo: URL(fileURLWithPath: file.string))
      programs[arguments[0]] = try ChildProcess(
        Playground.program.string, Array(arguments.dropFirst()), environment: playground.environment,
        directory: playground.directory.path, output: output, errors: output)
    case "end":
      let program = try #require(programs[text])
      _ = program.waitUntilExit()
    case "await": #expect(try eventually { try shell(text).status == 0 }, "never: \(text)")
    case "run":
      let outcome = try shell(text)
      try #require(outcome.status == 0, "\(text): \(outcome.output)\(outcome.errors)")
    default: Issue.record("there is no step \(step)")
    }
  }
}
