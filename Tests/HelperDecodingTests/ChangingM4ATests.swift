// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import HelperDecoding
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// MP4 files that other programs write to while another program decodes them.
  @Suite(.enabled(if: Tool.exists("ffmpeg"), "ffmpeg is not installed"))
  struct ChangingM4ATests {
    private static let frames = 150_000
    private static let error = DecodingError(path: "a.m4a", kind: .otherDecoder, reason: "is M4A")

    @Test(arguments: [["aac"], ["alac"], ["alac", "-movflags", "faststart"]], FileEdit.Kind.allCases)
    func `Tags that are written or removed in place change nothing of what is heard`(
      codec: [String], kind: FileEdit.Kind
    ) throws {
      let directory = try TemporaryDirectory()
      let helpers = DecodingHelpers(program: ProgramFile.neighbour("segue-decode"))
      let open: DecoderFactory = { path throws(DecodingError) in try helpers.open(path, insteadOf: Self.error) }
      let plain = try Self.encoded(codec, in: directory)
      let tagged = MP4Tags.inserting(400_000, into: plain)
      for (old, new) in [(plain, tagged), (tagged, plain)] {
        let path = try directory.write(old, to: "a.m4a")
        let whole = Self.read(try open(path))
        #expect(whole.count > 2 * Self.frames - 10_000)
        for (start, steps) in [(0, 1), (1_000, .max), (70_000, 7), (140_000, 1)] {
          try directory.write(old, to: "a.m4a")
          let edit = FileEdit(kind, path, from: old, to: new)
          let decoder = try ChangingFileDecoder(path, pause: { try? edit.perform() }, open: open)
          var heard = Self.read(decoder, start)
          try edit.perform(min(steps, edit.stepCount))
          heard += Self.read(decoder)
          #expect(PCM.firstDifference(heard, whole, channels: 2) == nil, "\(steps) steps at frame \(start)")
          #expect(decoder.failure == nil)
        }
      }
    }

    /// Encodes a sound, without noise that the decoder makes up, which depends on where it begins.
    private static func encoded(_ codec: [String], in directory: TemporaryDirectory) throws -> [UInt8] {
      let samples = (0..<frames * 2).map { Int32($0 % 20_011) - 10_000 }
      let source = try directory.write(WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav")
      let path = directory.file("encoded.m4a")
      try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-y", "-i", source.string, "-c:a"] + codec + ["-aac_pns", "0", path.string])
      return try contents(of: path)
    }

    /// Returns the next `limit` frames, or fewer at the end.
    private static func read(_ decoder: any AudioDecoder, _ limit: Int = .max) -> [Float] {
      let channels = decoder.format.channels
      var samples: [Float] = []
      var buffer = [Float](repeating: 0, count: 4_096 * channels)
      while samples.count / channels < limit {
        let room = min(4_096, limit - samples.count / channels) * channels
        let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: .init(rebasing: $0[..<room])) }
        guard count > 0 else { break }
        samples += buffer[..<(count * channels)]
      }
      return samples
    }
  }
}
