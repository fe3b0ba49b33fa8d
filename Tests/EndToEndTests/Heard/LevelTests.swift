// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What is heard of processed sound. Dither moves a sample by up to one and a half steps of 16 bits, and rounding by
  /// half a step, so each sample is within two steps of the calculated one.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct LevelTests {
    private static let tolerance: Int32 = 2

    /// Plays the album with `arguments`, and returns what was heard, from the first frame that is not silent.
    private func hear(_ server: SoundServer, _ arguments: [String] = []) throws -> [Int32] {
      try Player.run(
        ["play", server.album.string, "--output", "pulse"] + arguments, environment: server.environment,
        in: server.directory
      ) { player in
        let end = try player.end(within: 30)
        #expect(end.status == 0 && end.errors.isEmpty, "\(end)")
      }
      try server.record(until: server.frameCount + server.rate / 10)
      let samples = PCM.samples(try server.bytes, depth: .bits16)
      let start = (samples.firstIndex { $0 != 0 } ?? 0) / 2 * 2
      return Array(samples[start...])
    }

    private func expect(_ heard: [Int32], _ expected: [Int32]) {
      let difference = PCM.firstDifference(
        Array(heard.prefix(expected.count)), expected, channels: 2, tolerance: Self.tolerance)
      if let difference { Issue.record("\(difference)") }
      #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 }, "more was heard")
    }

    @Test func `A gain of -6 dB halves the level, without a jump within an album`() throws {
      let first = Noise(seed: 1, frames: 44_100)
      let second = Noise(seed: 2, frames: 44_100)
      try SoundServer.run { server in
        for (name, noise, track) in [("1", first, -3), ("2", second, -9)] {
          try noise.write(
            "album/\(name).flac", in: server.directory, "ALBUM=A", "TRACKNUMBER=\(name)",
            "REPLAYGAIN_TRACK_GAIN=\(track).00 dB", "REPLAYGAIN_ALBUM_GAIN=-6.00 dB",
            "REPLAYGAIN_ALBUM_PEAK=0.5")
        }
        let heard = try hear(server, ["--replay-gain", "auto"])
        expect(heard, Noise.gained(first.samples + second.samples, decibels: -6))
        let level = 20 * log10(Self.power(heard.prefix(88_200)) / Self.power(first.samples[...]))
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
          try hear(server, ["--crossfade", "0.5"]),
          Noise.crossfaded(first.samples, second.samples, frames: 22_050))
      }
    }

    @Test func `The sleep timer fades out, and ends playback and the program`() throws {
      try SoundServer.run { server in
        try Noise(seed: 5, frames: 10 * 44_100).write("album/1.flac", in: server.directory)
        try Player.run(
          ["repl", "--output", "pulse"], environment: server.environment, in: server.directory
        ) { player in
          try player.say("play '\(server.album)'")
          let start = try server.awaitSound()
          try player.say("sleep 3s --fade 1")
          let asked = try server.frameCount
          try player.endScript()
          let end = try player.end(within: 20)
          #expect(end.status == 0 && end.errors.isEmpty, "\(end)")
          try server.record(until: server.frameCount + server.rate / 10)
          let frames = try server.frames
          let last = try #require(frames.lastIndex { $0 != (0, 0) })
          // Commands are heard later by the buffer, and the end of a fade is below 16-bit resolution.
          let length = Double(last - asked) / Double(server.rate)
          #expect((2.8...3.7).contains(length), "ended after \(length) s")
          let levels = Self.levels(frames[start...last].map { Int32($0.left) }, windows: server.rate / 10)
          expectFall(levels.suffix(9))
          let loud = levels[1]
          #expect(levels.dropLast(13).allSatisfy { abs($0 / loud - 1) < 0.05 }, "\(levels)")
        }
      }
    }

    @Test func `With --sleep-after track the first track fades out, and the next is not heard`() throws {
      try SoundServer.run { server in
        let noise = Noise(seed: 6, frames: 2 * 44_100)
        for name in ["1", "2"] { try noise.write("album/\(name).flac", in: server.directory) }
        let heard = try hear(server, ["--sleep-after", "track"])
        let end = try #require(heard.lastIndex { $0 != 0 }) / 2
        #expect(abs(end - noise.frameCount) < 4_410, "ended after \(end) frames")
        let levels = Self.levels(heard.prefix(2 * end), windows: 8_820)
        expectFall(levels.dropFirst(10))
        let last = try #require(levels.last)
        #expect(last < levels[5] / 3, "\(levels)")
      }
    }

    /// Expects that every level is below the one before.
    private func expectFall(_ levels: some Sequence<Double>) {
      let levels = Array(levels)
      #expect(levels.count > 3)
      for (level, next) in zip(levels, levels.dropFirst()) { #expect(next < level, "\(levels)") }
    }

    private static func levels(_ samples: some Sequence<Int32>, windows count: Int) -> [Double] {
      let samples = Array(samples)
      return stride(from: 0, to: samples.count - count, by: count).map { power(samples[$0..<$0 + count]) }
    }

    private static func power(_ samples: some Collection<Int32>) -> Double {
      sqrt(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count)))
    }
  }
}
