// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// The position that `segue status` reports, compared with the recording.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct PositionTests {
    private static let rate = 44_100

    private struct Status: Decodable {
      struct Song: Decodable { let title: String }
      let instant: UInt64
      let elapsed: Double
      let isHeard: Bool
      let song: Song?
    }

    @Test func `The reported position is never ahead of what is heard`() throws {
      try SoundServer.run { server in
        try server.directory.write(Ruler.file(0..<3 * Self.rate, rate: Self.rate), to: "album/1.wav")
        try server.directory.write(
          Ruler.file(3 * Self.rate..<6 * Self.rate, rate: Self.rate), to: "album/2.wav")
        var statuses: [Status] = []
        // The time at which frame 0 was recorded, according to the least delayed measurement.
        var recordingStart = Double.infinity
        func pollStatus(_ player: Player, frames count: Int) throws {
          let end = try server.frameCount + count
          while try server.frameCount < end {
            let frames = try server.frameCount
            recordingStart = min(
              recordingStart, Double(MonotonicInstant.now.nanoseconds) / 1e9 - Double(frames) / Double(Self.rate))
            if let status = try? JSONDecoder().decode(Status.self, from: Data(try player.status().utf8)) {
              statuses.append(status)
            }
          }
        }
        let arguments = ["repl", "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.enter("play '\(server.album)'")
          try pollStatus(player, frames: 3 * Self.rate / 2)
          try player.enter("seek 2.2")
          try pollStatus(player, frames: 2 * Self.rate)
          try player.enter("pause")
          try pollStatus(player, frames: Self.rate / 2)
          try player.enter("resume")
          try pollStatus(player, frames: Self.rate)
          try player.enter("quit")
          #expect(try player.waitUntilExit(within: 20).status == 0)
        }
        let runs = Ruler.runs(try server.frames)
        #expect(statuses.count > 10)
        // The smallest lag of a reported position in each run of the recording, by its first frame.
        var smallestLags: [Int: Double] = [:]
        for status in statuses where status.isHeard {
          let index = Int((Double(status.instant) / 1e9 - recordingStart) * Double(Self.rate))
          let reported = status.elapsed + (status.song?.title == "2" ? 3 : 0)
          // The start of the recording is known only to within a few milliseconds, which matters around a seek.
          let heard = [0, -1, 1].compactMap { Self.position(heardAt: index + $0 * Self.rate / 20, in: runs) }
          #expect(
            heard.contains { reported < $0 + 0.05 },
            "\(reported) s was reported, but \(heard) s was heard, at frame \(index) of \(runs)")
          guard let run = runs.last(where: { $0.index <= index }),
            let position = Self.position(heardAt: index, in: runs)
          else { continue }
          smallestLags[run.index] = min(smallestLags[run.index] ?? .infinity, abs(position - reported))
        }
        // A single position may lag behind, if the player or the sound server had to wait for the processor.
        #expect(smallestLags.count == 3 && smallestLags.values.allSatisfy { $0 < 0.25 }, "\(smallestLags) \(runs)")
      }
    }

    /// Returns the position, in seconds, of the last sound heard up to the frame `index` of the recording; `nil` before
    /// the first sound.
    private static func position(heardAt index: Int, in runs: [Ruler.Run]) -> Double? {
      runs.last { $0.index <= index }.map { Double(min($0.position + index - $0.index, $0.next)) / Double(rate) }
    }
  }
}

extension HeardLane {
  /// The signal path that `segue status` reports for a player in another process: bit-perfect or not, and why.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct SignalPathTests {
    @Test func `The path is bit-perfect, or the reasons why not are given`() throws {
      try SoundServer.run { server in
        // Each tone lasts longer than its player runs.
        func makeTone(_ path: FilePath, _ options: [String]) throws -> String {
          let tone = ["synth", "60", "sine", "440", "vol", "0.5"]
          try Tool.run("sox", ["-R", "-n", "-r", "44100", "-c", "2"] + options + [path.string] + tone)
          return path.string
        }
        let tone = try makeTone(server.directory["a.wav"], ["-b", "16"])
        let lossless = server.album.appending("a.flac").string
        try Tool.run("flac", ["-s0", "-T", "REPLAYGAIN_TRACK_GAIN=-3.00 dB", "-o", lossless, tone])
        let integer24 = try makeTone(server.album.appending("b.wav"), ["-b", "24"])
        let integer32 = try makeTone(server.album.appending("c.wav"), ["-b", "32", "-e", "signed"])
        let float32 = try makeTone(server.album.appending("d.wav"), ["-b", "32", "-e", "float"])
        let muLaw = try makeTone(server.album.appending("e.wav"), ["-e", "mu-law"])
        try expectPath("bit-perfect", [lossless], server)
        try expectPath("not bit-perfect: volume 80%", [lossless, "--volume", "80"], server)
        try expectPath(
          "not bit-perfect: ReplayGain: track gain -3.0 dB", [lossless, "--replay-gain", "track"], server)
        try expectPath(
          "not bit-perfect: resampled from 44100 to 48000 Hz", [lossless, "--rate", "48000"], server)
        try expectPath("bit-perfect", [integer24], server)
        try expectPath("not bit-perfect: reduced from 24 to 16 bits", [integer24, "--depth", "16"], server)
        try expectPath("not bit-perfect: reduced from 32 to 24 bits", [integer32], server)
        try expectPath("not bit-perfect: floating point, rounded to 24 bits", [float32], server)
        try expectPath("not bit-perfect: lossy codec", [muLaw], server)
      }
    }

    private func expectPath(_ path: String, _ arguments: [String], _ server: SoundServer) throws {
      // A player would otherwise start with the volume stored by the previous one.
      let volume = arguments.contains("--volume") ? [] : ["--volume", "100"]
      try Player.run(
        ["play", "--output", "pulse"] + volume + arguments, environment: server.environment,
        in: server.directory
      ) { player in
        try waitFor("\"\(path)\" of \(arguments)") {
          try player.status(json: false).split(separator: "\n").contains("  path        \(path)")
        }
        #expect(try player.status().contains("\"deviations\":[]") == (path == "bit-perfect"))
      }
    }
  }
}
