// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Truncated and corrupt files: the intact parts are played, and the missing parts are reported.
  @Suite(.serialized) struct Damage {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: ["wav", "flac"])
    func `A file that is truncated during playback is played to its end`(suffix: String) throws {
      try Tool.run(
        "sox",
        [
          "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", playground["a.\(suffix)"], "synth", "30",
          "whitenoise",
        ])
      let length = try FileStatus(of: playground.directory["a.\(suffix)"]).size
      // The reader of the output truncates the file after the first bytes.
      let outcome = try playground.shell(
        """
        $SEGUE play a.\(suffix) --output raw:- \
          | (head -c 100000; truncate -s \(length / 5 * 4) a.\(suffix); cat) | wc -c
        exit ${PIPESTATUS[0]}
        """)
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains("/a.\(suffix): ends at 0:2")
          && outcome.errors.contains("of 0:30: the file is truncated"), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count { $0.hasPrefix("segue: ") } == 1)
      let byteCount = try #require(outcome.lines.compactMap { Int($0) }.first)
      #expect((5_292_000 * 3 / 4...5_292_000 * 17 / 20).contains(byteCount))
    }

    @Test(arguments: [
      ("corrupt-middle.flac", "is damaged at 0:00: the lost part is silent"),
      ("huge-promise.flac", "ends at 0:01 of 432:51:04: the file is truncated"),
      ("truncated.flac", "ends at 0:00 of 0:01"),
    ])
    func `Missing parts of a file are reported, but the status is success`(name: String, part: String) throws {
      let outcome = try playground.segue(
        "play", Playground.broken.appending(name).string, "--output", "raw:out.raw")
      #expect(outcome.status == 0 && outcome.lines.count == 1)
      #expect(outcome.errors.contains(part) && outcome.errors.split(separator: "\n").count == 1)
      #expect(try playground.bytes("out.raw").count > 10_000)
    }

    @Test func `In a library of broken files, each file is either played or skipped with a reason`()
      throws
    {
      let files = try DirectoryListing(of: Playground.broken).entries.map { $0.name.string }.filter {
        !$0.hasSuffix(".md") && !$0.hasSuffix(".py")
      }
      #expect(files.count > 40)
      let outcome = try playground.segue(
        "play", Playground.broken.string, "--on-format-change", "resample", "--output", "raw:/dev/null")
      #expect(outcome.status == 0)
      let errors = outcome.errors.split(separator: "\n")
      for file in files {
        let skips = errors.filter { $0.hasPrefix("segue: skipped ") && $0.contains("/\(file): ") }
        #expect(skips.count <= 1)
      }
      #expect(outcome.lines.count == files.count - errors.count { $0.hasPrefix("segue: skipped ") })
    }
  }
}
