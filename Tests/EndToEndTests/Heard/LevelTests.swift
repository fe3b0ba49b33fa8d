// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Recordings of processed sound, compared with calculated samples. Dither moves a sample by up to one and a half
  /// steps of 16 bits, and rounding by half a step, so the tolerance is two steps.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct LevelTests {
    private static let tolerance: Int32 = 2

    /// Plays the album with `arguments`, and returns the recorded samples from the first frame that is not silent.
    private func recordAlbum(_ server: SoundServer, _ arguments: [String] = []) throws -> [Int32] {
      try Player.run(
        ["play", server.album.string, "--output", "pulse"] + arguments, environment: server.environment,
        in: server.directory
      ) { player in
        let outcome = try player.waitUntilExit(within: 30)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      }
      try server.record(until: server.frameCount + server.rate / 10)
      let samples = PCM.samples(try server.bytes, depth: .bits16)
      let start = (samples.firstIndex { $0 != 0 } ?? 0) / 2 * 2
      return Array(samples[start...])
    }

    private func expect(_ recorded: [Int32], _ expected: [Int32]) {
      let difference = PCM.firstDifference(
        Array(recorded.prefix(expected.count)), expected, channels: 2, tolerance: Self.tolerance)
      if let difference { Issue.record("\(difference)") }
      #expect(recorded.dropFirst(expected.count).allSatisfy { $0 == 0 }, "more sound follows")
    }

    @Test func `A gain of -6 dB halves the level, without a jump within an album`() throws {
      let first = Noise(seed: 1, frames: 44_100)
      let second = Noise(seed: 2, frames: 44_100)
      try SoundServer.run { server in
        for (name, noise, trackGain) in [("1", first, -3), ("2", second, -9)] {
          try noise.write(
            "album/\(name).flac", in: server.directory, "ALBUM=A", "TRACKNUMBER=\(name)",
            "REPLAYGAIN_TRACK_GAIN=\(trackGain).00 dB", "REPLAYGAIN_ALBUM_GAIN=-6.00 dB",
            "REPLAYGAIN_ALBUM_PEAK=0.5")
        }
        let recorded = try recordAlbum(server, ["--replay-gain", "auto"])
        expect(recorded, Noise.amplified(first.samples + second.samples, decibels: -6))
        let level = 20 * log10(Self.rms(recorded.prefix(88_200)) / Self.rms(first.samples[...]))
        #expect(abs(level + 6) < 0.1, "\(level) dB")
      }
    }

    @Test func `Tracks of two albums are crossfaded with equal power`() throws {
      let first = Noise(seed: 3, frames: 4 * 44_100)
      let second = Noise(seed: 4, frames: 44_100)
      try SoundServer.run { server in
        try first.write("album/1.flac", in: server.directory, "ALBUM=A")
        try second.write("album/2.flac", in: server.directory, "ALBUM=B")
        expect(
          try recordAlbum(server, ["--crossfade", "0.5"]),
          Noise.crossfaded(first.samples, second.samples, frames: 22_050))
      }
    }

    @Test func `The sleep timer fades out, and ends playback and the program`() throws {
      try SoundServer.run { server in
        try Noise(seed: 5, frames: 10 * 44_100).write("album/1.flac", in: server.directory)
        try Player.run(
          ["repl", "--output", "pulse"], environment: server.environment, in: server.directory
        ) { player in
          try player.enter("play '\(server.album)'")
          let start = try server.awaitSound()
          try player.enter("sleep 3s --fade 1")
          let commandFrame = try server.frameCount
          try player.endScript()
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
          try server.record(until: server.frameCount + server.rate / 10)
          let frames = try server.frames
          let last = try #require(frames.lastIndex { $0 != (0, 0) })
          // A command is heard after the delay of the buffer, and the end of a fade is below 16-bit resolution.
          let seconds = Double(last - commandFrame) / Double(server.rate)
          #expect((2.8...3.7).contains(seconds), "ended after \(seconds) s")
          let levels = Self.levels(frames[start...last].map { Int32($0.left) }, windowLength: server.rate / 10)
          expectFalling(levels.suffix(9))
          let fullLevel = levels[1]
          #expect(levels.dropLast(13).allSatisfy { abs($0 / fullLevel - 1) < 0.05 }, "\(levels)")
        }
      }
    }

    @Test func `With --sleep-after track the first track fades out, and the next is not heard`() throws {
      try SoundServer.run { server in
        let noise = Noise(seed: 6, frames: 2 * 44_100)
        for name in ["1", "2"] { try noise.write("album/\(name).flac", in: server.directory) }
        let recorded = try recordAlbum(server, ["--sleep-after", "track"])
        let end = try #require(recorded.lastIndex { $0 != 0 }) / 2
        #expect(abs(end - noise.frameCount) < 4_410, "ended after \(end) frames")
        let levels = Self.levels(recorded.prefix(2 * end), windowLength: 8_820)
        expectFalling(levels.dropFirst(10))
        let last = try #require(levels.last)
        #expect(last < levels[5] / 3, "\(levels)")
      }
    }

    /// Expects each level to be lower than the one before it.
    private func expectFalling(_ levels: some Sequence<Double>) {
      let levels = Array(levels)
      #expect(levels.count > 3)
      for (level, next) in zip(levels, levels.dropFirst()) { #expect(next < level, "\(levels)") }
    }

    /// Returns the levels of consecutive windows of `windowLength` samples.
    private static func levels(_ samples: some Sequence<Int32>, windowLength: Int) -> [Double] {
      let samples = Array(samples)
      return stride(from: 0, to: samples.count - windowLength, by: windowLength).map {
        rms(samples[$0..<$0 + windowLength])
      }
    }

    /// Returns the root mean square of `samples`.
    private static func rms(_ samples: some Collection<Int32>) -> Double {
      sqrt(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count)))
    }
  }
}
