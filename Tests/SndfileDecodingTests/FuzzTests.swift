// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Damaged files of every format do no harm: no crash, no hang, no NaN.
  ///
  /// `SEGUE_FUZZ_CASES=100000` runs longer, `SEGUE_FUZZ_SEED` starts elsewhere. If a case crashes the process, its file
  /// stays in the temporary directory.
  @Suite struct FuzzTests {
    private static let encoders: [(String, [String])] = [
      ("16.wav", ["sox", "IN", "-b", "16", "OUT"]),
      ("float.wav", ["sox", "IN", "-b", "32", "-e", "float", "OUT"]),
      ("adpcm.wav", ["sox", "IN", "-e", "ima-adpcm", "OUT"]), ("aiff", ["sox", "IN", "-b", "24", "OUT"]),
      ("au", ["sox", "IN", "OUT"]), ("caf", ["sox", "IN", "OUT"]), ("w64", ["sox", "IN", "OUT"]),
      ("rf64.wav", ["ffmpeg", "-loglevel", "error", "-i", "IN", "-rf64", "always", "OUT"]),
      ("flac", ["flac", "--silent", "-o", "OUT", "IN"]), ("ogg", ["oggenc", "-Q", "-o", "OUT", "IN"]),
      ("opus", ["opusenc", "--quiet", "IN", "OUT"]), ("cbr.mp3", ["lame", "--quiet", "-b", "32", "IN", "OUT"]),
      ("vbr.mp3", ["lame", "--quiet", "-V", "6", "IN", "OUT"]),
      ("bare.mp3", ["lame", "--quiet", "-t", "-V", "6", "IN", "OUT"]),
    ]

    @Test func `thousands of damaged files do no harm`() throws {
      let directory = try TemporaryDirectory()
      let original = directory.file("in.wav")
      try Tool.run(
        "sox", ["-R", "-n", "-r", "8000", "-c", "2", "-b", "16", original.string, "synth", "0.4", "pinknoise"])
      let sources = try Self.encoders.map { name, command in
        let path = directory.file("source.\(name)")
        let words = command.map { $0 == "IN" ? original.string : $0 == "OUT" ? path.string : $0 }
        try Tool.run(words[0], Array(words.dropFirst()))
        return try contents(of: path)
      }
      for (index, source) in sources.enumerated() {
        #expect(try Decoded.all(directory.write(source, to: "case")).count > 6000, "\(Self.encoders[index].0)")
      }
      let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 2000)) { seed in
        var mutator = Mutator(seed: seed)
        let index = Int(seed % UInt64(sources.count))
        let other = sources[mutator.number(0...(sources.count - 1))]
        let bytes = mutator.damaged(sources[index], other: other)
        guard let path = try? directory.write(bytes, to: "case") else { return "cannot be written" }
        return Self.failure(of: path, &mutator).map { "\(Self.encoders[index].0): \($0)" }
      }
      #expect(failure == nil)
    }

    @Test func `a case that fails or does not end is named`() throws {
      let first = FuzzRun.firstSeed
      let failure = try FuzzRun.firstFailure(count: 5) { $0 == first + 3 ? "wrong" : nil }
      #expect(failure == "seed \(first + 3): wrong")
      let gate = Gate()
      let hang = try FuzzRun.firstFailure(count: 5, seconds: 1) {
        if $0 == first + 2 { gate.pass() }
        return nil
      }
      gate.open()
      #expect(hang == "seed \(first + 2) does not end within 1.0 s")
      #expect(try FuzzRun.firstFailure(count: 5) { _ in nil } == nil)
    }

    /// Opens a file, and reads from several positions. Returns a description of what goes wrong, if anything.
    private static func failure(of path: FilePath, _ mutator: inout Mutator) -> String? {
      guard let decoder = try? SndfileDecoder(path: path) else { return nil }
      let stated = Int(clamping: decoder.frameCount ?? 10_000)
      let frames = [nil, stated / 2, mutator.number(0...20_000), 0, stated]
      for frame in frames {
        if let frame { guard (try? decoder.seek(toFrame: Int64(frame))) != nil else { continue } }
        if let failure = failure(reading: decoder) { return failure }
      }
      _ = decoder.failure?.description
      return nil
    }

    private static func failure(reading decoder: SndfileDecoder) -> String? {
      let channels = decoder.format.channels
      var buffer = [Float](repeating: 0, count: 1000 * channels)
      for _ in 0..<8 {
        let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
        guard count <= 1000 else { return "\(count) frames" }
        guard count > 0 else { return nil }
        // NaN compares as false, so it would pass a limit, too.
        for index in 0..<(count * channels) where !(abs(buffer[index]) <= 512) {
          return "sample \(buffer[index])"
        }
      }
      return nil
    }
  }
}
