// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// The position that `segue status` reports, compared with what was heard.
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
        // The time at which frame 0 was recorded, by the least delayed reading.
        var zero = Double.infinity
        func look(for count: Int, _ player: Player) throws {
          let end = try server.frameCount + count
          while try server.frameCount < end {
            let frames = try server.frameCount
            zero = min(
              zero, Double(MonotonicInstant.now.nanoseconds) / 1e9 - Double(frames) / Double(Self.rate))
            if let status = try? JSONDecoder().decode(Status.self, from: Data(try player.status().utf8)) {
              statuses.append(status)
            }
          }
        }
        let arguments = ["repl", "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.say("play '\(server.album)'")
          try look(for: 3 * Self.rate / 2, player)
          try player.say("seek 2.2")
          try look(for: 2 * Self.rate, player)
          try player.say("pause")
          try look(for: Self.rate / 2, player)
          try player.say("resume")
          try look(for: Self.rate, player)
          try player.say("quit")
          #expect(try player.end(within: 20).status == 0)
        }
        let runs = Ruler.runs(try server.frames)
        #expect(statuses.count > 10)
        for status in statuses where status.isHeard {
          let index = Int((Double(status.instant) / 1e9 - zero) * Double(Self.rate))
          let reported = status.elapsed + (status.song?.title == "2" ? 3 : 0)
          // The time of recording is only known to some milliseconds, which matters around a seek.
          let heard = [0, -1, 1].compactMap { Self.position(heardAt: index + $0 * Self.rate / 20, in: runs) }
          // Less than was heard does no harm; that results from updating the position twice a second.
          #expect(
            heard.contains { (-0.25..<0.05).contains(reported - $0) },
            "\(reported) s were told and \(heard) s heard, at \(index) of \(runs)")
        }
      }
    }

    /// Returns the position in seconds last heard at the frame `index` of the recording; `nil` before any sound.
    private static func position(heardAt index: Int, in runs: [Ruler.Run]) -> Double? {
      runs.last { $0.index <= index }.map { Double(min($0.position + index - $0.index, $0.next)) / Double(rate) }
    }
  }
}

extension HeardLane {
  /// The signal path that `segue status` reports for a player in another process.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct SignalPathTests {
    @Test func `The path is bit-perfect, or the reasons against that are given`() throws {
      try SoundServer.run { server in
        // Longer than any of them is played.
        func make(_ path: FilePath, _ options: [String]) throws -> String {
          let tone = ["synth", "60", "sine", "440", "vol", "0.5"]
          try Tool.run("sox", ["-R", "-n", "-r", "44100", "-c", "2"] + options + [path.string] + tone)
          return path.string
        }
        let tone = try make(server.directory["a.wav"], ["-b", "16"])
        let plain = server.album.appending("a.flac").string
        try Tool.run("flac", ["-s0", "-T", "REPLAYGAIN_TRACK_GAIN=-3.00 dB", "-o", plain, tone])
        let deep = try make(server.album.appending("b.wav"), ["-b", "24"])
        let wide = try make(server.album.appending("c.wav"), ["-b", "32", "-e", "signed"])
        let float = try make(server.album.appending("d.wav"), ["-b", "32", "-e", "float"])
        let law = try make(server.album.appending("e.wav"), ["-e", "mu-law"])
        try expect("bit-perfect", [plain], server)
        try expect("not bit-perfect: volume 80%", [plain, "--volume", "80"], server)
        try expect(
          "not bit-perfect: ReplayGain: track gain -3.0 dB", [plain, "--replay-gain", "track"], server)
        try expect(
          "not bit-perfect: resampled from 44100 to 48000 Hz", [plain, "--rate", "48000"], server)
        try expect("bit-perfect", [deep], server)
        try expect("not bit-perfect: reduced from 24 to 16 bits", [deep, "--depth", "16"], server)
        try expect("not bit-perfect: reduced from 32 to 24 bits", [wide], server)
        try expect("not bit-perfect: floating point, rounded to 24 bits", [float], server)
        try expect("not bit-perfect: lossy codec", [law], server)
      }
    }

    private func expect(_ path: String, _ arguments: [String], _ server: SoundServer) throws {
      // The volume is stored between players.
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
