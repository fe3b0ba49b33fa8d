// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Processed samples, compared with those of sox or with calculated ones. If the depth is reduced or the sound is
  /// processed, dither moves a sample by up to one and a half steps, and rounding by half a step, so the tolerance is
  /// two steps.
  @Suite(.serialized) struct Processing {
    private static let tolerance: Int32 = 2

    private let playground: Playground
    private let noise = Noise(seed: 11, frames: 48_510)

    init() throws { playground = try Playground() }

    /// Renders `arguments`, and returns the samples.
    private func render(_ arguments: [String], depth: SampleDepth = .bits16) throws -> [Int32] {
      let outcome = try playground.run(
        Playground.program.string, ["play"] + arguments + ["--output", "raw:out.raw"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      defer { _ = try? playground.shell("rm out.raw") }
      return PCM.samples(try playground.bytes("out.raw"), depth: depth)
    }

    /// Returns `file` converted to `rate` by sox, without dither.
    private func converted(_ file: String, to rate: Int, depth: SampleDepth = .bits16) throws -> [Int32] {
      let bytes = try Tool.run(
        "sox", ["-D", file, "-t", "raw", "-b", "\(depth.rawValue)", "-", "rate", "-v", "\(rate)"])
      return PCM.samples(bytes, depth: depth)
    }

    private func expect(
      _ rendered: some Sequence<Int32>, _ expected: some Sequence<Int32>, tolerance: Int32 = tolerance,
      _ location: SourceLocation = #_sourceLocation
    ) {
      let difference = PCM.firstDifference(
        Array(rendered), Array(expected), channels: 2, tolerance: tolerance)
      if let difference { Issue.record("\(difference)", sourceLocation: location) }
    }

    @Test(arguments: [48_000, 96_000, 22_050])
    func `--rate gives the same result as sox`(rate: Int) throws {
      // The sound has no high frequencies, for which filters differ, and no abrupt start or end, for which the adjacent
      // sound matters.
      try Tool.run(
        "sox",
        [
          "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", playground["a.wav"], "synth", "0.3", "sine",
          "440",
          "sine", "5000", "fade", "0.05", "0.3", "0.05", "vol", "0.5",
        ])
      let rendered = try render([playground["a.wav"], "--rate", "\(rate)"])
      expect(rendered, try converted(playground["a.wav"], to: rate))
      #expect(rendered.count / 2 == 13_230 * rate / 44_100)
    }

    @Test func `With --on-format-change resample, an album has one format and the right length`()
      throws
    {
      for (name, rate, depth, seconds) in [("1", 44_100, 16, 0.3), ("2", 48_000, 24, 0.2)] {
        try playground.directory.makeDirectory("album")
        try Tool.run(
          "sox",
          [
            "-R", "-n", "-r", "\(rate)", "-c", "2", "-b", "\(depth)", playground["album/\(name).wav"],
            "synth",
            "\(seconds)", "sine", "440", "sine", "1000", "fade", "0.05", "\(seconds)", "0.05", "vol", "0.5",
          ])
      }
      let second = try converted(playground["album/2.wav"], to: 44_100)
      let rendered = try render([playground["album"], "--on-format-change", "resample"])
      #expect(rendered.count / 2 == 13_230 + 8_820)
      let first = PCM.samples(
        try Tool.run("sox", ["-D", playground["album/1.wav"], "-t", "raw", "-"]), depth: .bits16)
      // Sound that already has the format is unchanged.
      expect(rendered.prefix(first.count), first, tolerance: 0)
      expect(rendered.dropFirst(first.count), second)
    }

    @Test func `A lower --depth is reached with dither, and a higher one is exact`() throws {
      var random = SeededGenerator(seed: 12)
      let deep = (0..<40_000).map { _ in Int32.random(in: -8_000_000...8_000_000, using: &random) }
      try playground.directory.write(
        WaveFile.bytes(deep, rate: 44_100, channels: 2, depth: .bits24), to: "deep.wav")
      let reduced = try render([playground["deep.wav"], "--depth", "16"])
      expect(reduced, deep.map { Int32((Double($0) / 256).rounded()) })
      #expect(zip(reduced, deep).contains { $0 != Int32((Double($1) / 256).rounded()) }, "no dither")
      expect(try render([playground["deep.wav"]], depth: .bits24), deep, tolerance: 0)
      expect(
        try render([playground["deep.wav"], "--depth", "32"], depth: .bits32), deep.map { $0 << 8 },
        tolerance: 0)
    }

    @Test func `--volume is cubic in its percentage, and --replay-gain follows the tags`() throws {
      let path = try noise.write(
        "a.flac", in: playground.directory, "REPLAYGAIN_TRACK_GAIN=+3.50 dB",
        "REPLAYGAIN_TRACK_PEAK=0.488281",
        "REPLAYGAIN_ALBUM_GAIN=+20.00 dB", "REPLAYGAIN_ALBUM_PEAK=0.488281"
      ).string
      expect(try render([path]), noise.samples, tolerance: 0)
      expect(try render([path, "--volume", "50"]), noise.samples.map { Int32((Double($0) / 8).rounded()) })
      let track = try render([path, "--replay-gain", "track"])
      expect(track, Noise.amplified(noise.samples, decibels: 3.5))
      let preamp = try render([path, "--replay-gain", "track", "--preamp=-6"])
      expect(preamp, Noise.amplified(noise.samples, decibels: -2.5))
      // The gain is lowered so that the peak is not clipped: 16000 becomes full scale.
      let album = try render([path, "--replay-gain", "album"])
      expect(album, noise.samples.map { Int32((Double($0) * 32_768 / 16_000).rounded().clamped) })
      let untagged = try noise.write("b.flac", in: playground.directory).string
      let fallback = try render([untagged, "--replay-gain", "auto", "--fallback-gain=-9"])
      expect(fallback, Noise.amplified(noise.samples, decibels: -9))
    }

    @Test func `--crossfade mixes different albums with equal power, but not an album in order`()
      throws
    {
      let other = Noise(seed: 13, frames: 30_000)
      try noise.write("two/1.flac", in: playground.directory, "ALBUM=A")
      try other.write("two/2.flac", in: playground.directory, "ALBUM=B")
      let mixed = try render([playground["two"], "--crossfade", "0.25"])
      let frames = 11_025
      #expect(mixed.count / 2 == noise.frameCount + other.frameCount - frames)
      expect(mixed, Noise.crossfaded(noise.samples, other.samples, frames: frames))
      try noise.write("one/1.flac", in: playground.directory, "ALBUM=A", "TRACKNUMBER=1")
      try other.write("one/2.flac", in: playground.directory, "ALBUM=A", "TRACKNUMBER=2")
      let whole = try render([playground["one"], "--crossfade", "0.25"])
      expect(whole, noise.samples + other.samples, tolerance: 0)
      let requested = try render([playground["one"], "--crossfade", "0.25", "--crossfade-albums"])
      expect(requested, mixed, tolerance: 2 * Self.tolerance)
    }
  }
}

extension Double {
  /// The value clamped to 16 bits.
  fileprivate var clamped: Double { min(max(self, -32_768), 32_767) }
}
