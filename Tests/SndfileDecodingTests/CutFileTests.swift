// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Files that end too early report a failure, although good files are often a little shorter than they state.
@Suite struct StreamProblemTests {
  @Test(arguments: [
    "actually-flac.mp3", "actually-mp3.flac", "chained.ogg", "huge-promise.wav", "huge-promise.au",
    "loud.wav", "vbr-no-xing.mp3", "junk-tail.ogg", "tags-hostile.mp3",
  ])
  func `a file with its stated length has no failure`(name: String) throws {
    let decoder = try SndfileDecoder(path: Fixture.broken(name))
    _ = try Decoded.rest(of: decoder)
    #expect(decoder.failure == nil)
  }

  @Test(
    arguments: [
      ("truncated.flac", .malformed, "ends at 0:00 of 0:01: the file is truncated"),
      ("header-only.flac", .malformed, "ends at 0:00 of 0:01: the file is truncated"),
      (
        "corrupt-middle.flac", .malformed,
        "is damaged at 0:00: the lost part is silent"
      ),
    ] as [(String, DecodingError.Kind, String)])
  func `a file that ends too early has a failure`(name: String, kind: DecodingError.Kind, reason: String) throws {
    let path = Fixture.broken(name)
    let decoder = try SndfileDecoder(path: path)
    #expect(decoder.failure == nil)
    _ = try Decoded.rest(of: decoder)
    #expect(decoder.failure == DecodingError(path: path, kind: kind, reason: reason))
    try decoder.seek(toFrame: 0)
    #expect(decoder.failure == nil)
  }
}

extension ProgramLane {
  /// Encoded files that are cut or become unreadable during playback report a failure.
  @Suite struct CutFileTests {
    @Test func `the failure of a cut MP3 says where it ends`() throws {
      let directory = try TemporaryDirectory()
      let path = try longFile(in: directory, "mp3", ["lame", "--quiet", "-b", "32", "IN", "OUT"])
      try path.truncate(to: 40_000)
      let decoder = try SndfileDecoder(path: path)
      _ = try Decoded.rest(of: decoder)
      #expect(decoder.failure?.reason == "ends at 0:09 of 1:02: the file is truncated")
    }

    @Test(arguments: [
      ("ogg", ["oggenc", "-Q", "-o", "OUT", "IN"]), ("opus", ["opusenc", "--quiet", "IN", "OUT"]),
    ])
    func `an Ogg file that lacks pages in its middle is not truncated`(suffix: String, command: [String]) throws {
      let directory = try TemporaryDirectory()
      var bytes = try contents(of: longFile(in: directory, suffix, command))
      let pages = bytes.ranges(of: Array("OggS".utf8)).map(\.lowerBound)
      bytes.removeSubrange(pages[pages.count / 3]..<pages[pages.count / 2])
      let decoder = try SndfileDecoder(path: directory.write(bytes, to: "gap.\(suffix)"))
      _ = try Decoded.rest(of: decoder)
      #expect(decoder.failure?.reason.hasSuffix("of 1:02: parts of the file are missing") == true)
    }

    @Test(arguments: [
      ("flac", ["flac", "--silent", "-o", "OUT", "IN"]), ("ogg", ["oggenc", "-Q", "-o", "OUT", "IN"]),
      ("mp3", ["lame", "--quiet", "-b", "32", "IN", "OUT"]),
      ("mp3", ["lame", "--quiet", "-t", "-b", "32", "IN", "OUT"]), ("wav", ["cp", "IN", "OUT"]),
    ])
    func `a file that is cut during playback has a failure`(suffix: String, command: [String]) throws {
      let directory = try TemporaryDirectory()
      let path = try longFile(in: directory, suffix, command)
      let decoder = try SndfileDecoder(path: path)
      var buffer = [Float](repeating: 0, count: 1000)
      #expect(buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) } > 0)
      try path.truncate(to: contents(of: path).count / 4)
      let rest = try Decoded.rest(of: decoder)
      #expect(rest.count < 40 * 48_000)
      #expect(decoder.failure?.kind == .unreadable)
      #expect(decoder.failure?.reason.hasSuffix("of 1:02: the file was truncated during playback") == true)
    }

    @Test(
      .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc"),
      arguments: [
        ("flac", ["flac", "--silent", "-o", "OUT", "IN"]), ("ogg", ["oggenc", "-Q", "-o", "OUT", "IN"]),
        ("opus", ["opusenc", "--quiet", "IN", "OUT"]),
        ("mp3", ["lame", "--quiet", "-b", "32", "IN", "OUT"]),
        ("mp3", ["lame", "--quiet", "-t", "-b", "32", "IN", "OUT"]), ("wav", ["cp", "IN", "OUT"]),
      ])
    func `a file that the system can no longer read has a failure`(suffix: String, command: [String]) throws {
      let directory = try TemporaryDirectory()
      let path = try longFile(in: directory, suffix, command)
      let before = try Self.descriptors(of: path)
      let decoder = try SndfileDecoder(path: path)
      var buffer = [Float](repeating: 0, count: 1000)
      #expect(buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) } > 0)
      // Reading a directory fails as reading from a lost mount does.
      let unreadable = try FileDescriptor.open(directory.path, .readOnly)
      for descriptor in try Self.descriptors(of: path).subtracting(before) {
        _ = try unreadable.duplicate(as: FileDescriptor(rawValue: descriptor))
      }
      try unreadable.close()
      _ = try Decoded.rest(of: decoder)
      let failure = try #require(decoder.failure)
      #expect(failure.kind == .unreadable)
      #expect(failure.reason.hasPrefix("cannot be read beyond 0:0"))
      #expect(failure.reason.hasSuffix("of 1:02: Is a directory"))
    }

    /// Creates a file of 62 seconds at 8 kHz with `command`.
    private func longFile(in directory: TemporaryDirectory, _ suffix: String, _ command: [String]) throws
      -> FilePath
    {
      let original = directory.file("in.wav")
      try Tool.run(
        "sox", ["-R", "-n", "-r", "8000", "-c", "1", "-b", "16", original.string, "synth", "62", "pinknoise"])
      let path = directory.file("out.\(suffix)")
      let words = command.map { $0 == "IN" ? original.string : $0 == "OUT" ? path.string : $0 }
      try Tool.run(words[0], Array(words.dropFirst()))
      return path
    }

    /// Returns the descriptors under which this process has the file at `path` open.
    private static func descriptors(of path: FilePath) throws -> Set<Int32> {
      let numbers = (0..<Int32(1024)).filter { number in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path.string
      }
      return Set(numbers)
    }
  }
}
