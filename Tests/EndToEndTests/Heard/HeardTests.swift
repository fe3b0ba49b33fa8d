// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// Tests of the sound heard through a sound server, in real time. Each test has its own server, so tests can run in
/// parallel.
@Suite enum HeardLane {}

extension HeardLane {
  /// The program's sound, as a listener hears it through a sound server.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct HeardTests {
    /// The maximum delay of a command, in milliseconds of the recording: the latency stated in the README, plus the
    /// time that a busy machine needs to run the player and the recorder. PulseAudio would buffer two seconds if the
    /// player did not limit that.
    private static let maximumLatency = 1_200

    @Test(arguments: ["pulse", "ao:pulse"])
    func `An album cut from one recording is heard as that recording`(output: String) throws {
      let parts = try Fixture.canon.prefix(2).map {
        try Tool.run("flac", ["-dcs", "--force-raw-format", "--endian=little", "--sign=signed", $0.string])
      }
      // Two seconds on each side of the cut in the recording, and another cut after it.
      let (before, after) = (parts[0].suffix(2 * 176_400), parts[1].prefix(2 * 176_400))
      let tracks = [before, after.prefix(4 * 20_011), after.dropFirst(4 * 20_011)]
      try SoundServer.run { server in
        for (number, track) in tracks.enumerated() {
          let samples = PCM.samples(Array(track), depth: .bits16)
          let file = WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16)
          let wave = try server.directory.write(file, to: "\(number).wav").string
          try Tool.run("flac", ["-s", "-o", server.album.appending("\(number).flac").string, wave])
        }
        try expectAudible(Array(before + after), of: server.album, depth: .bits16, server, output)
      }
    }

    @Test(arguments: ["pulse", "ao:pulse"])
    func `24-bit sound is heard to the last bit`(output: String) throws {
      var random = SeededGenerator(seed: 24)
      let samples = (0..<44_100).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &random) }
      let file = WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits24)
      try SoundServer.run(depth: .bits24) { server in
        try server.directory.write(file, to: "album/noise.wav")
        try expectAudible(Array(file.suffix(samples.count * 3)), of: server.album, depth: .bits24, server, output)
      }
    }

    @Test(arguments: [44_100, 192_000], ["pulse", "ao:pulse"])
    func `Pause, resume, next and seek are heard within the stated latency`(rate: Int, output: String) throws {
      try SoundServer.run(rate: rate) { server in
        try server.directory.write(Ruler.file(0..<4 * rate, rate: rate), to: "album/1.wav")
        try server.directory.write(Ruler.file(4 * rate..<8 * rate, rate: rate), to: "album/2.wav")
        let arguments = ["repl", "--output", output]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.enter("play '\(server.album)'")
          _ = try server.awaitSound()
          let pause = try enter("pause", into: player, server)
          let resume = try enter("resume", into: player, server)
          let next = try enter("next", into: player, server)
          let seek = try enter("seek 1", into: player, server)
          try server.record(until: seek + rate * Self.maximumLatency / 1000)
          try player.enter("quit")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0)
          #expect(outcome.errors == [])

          let frames = try server.frames
          // On a busy machine there may be silence between two frames, but no frame is lost.
          let runs = Ruler.joined(Ruler.runs(frames))
          try #require(runs.count == 4, "\(runs)")
          let fade = rate * 8 / 1000 + 1
          // The frames of the recording at which each command was entered and took effect.
          let commands: [String: (entered: Int, heard: Int)] = [
            "pause": (pause, runs[0].end + fade), "resume": (resume, runs[1].index - fade),
            "next": (next, runs[2].index), "seek": (seek, runs[3].index - fade),
          ]
          for (command, frame) in commands {
            let latency = Double(frame.heard - frame.entered) * 1000 / Double(rate)
            #expect(latency < Double(Self.maximumLatency), "\(command) was heard after \(latency) ms")
          }
          // No frame of the first file is lost or repeated across the pause: the faded sound between the two runs is as
          // long as the gap between their positions. The first frame of a fade is silent.
          #expect(runs[0].position == 0)
          let fadedCount = frames[runs[0].end..<runs[1].index].count { $0.left != 0 || $0.right != 0 }
          #expect(runs[1].position - runs[0].next == fadedCount + 1)
          #expect(runs[2].position == 4 * rate)
          #expect((5 * rate...5 * rate + fade).contains(runs[3].position))
        }
      }
    }

    @Test(arguments: ["pulse", "ao:pulse"])
    func `Without a server, the program exits with a failure status and one line`(output: String) throws {
      let directory = try TemporaryDirectory()
      let environment = try SoundServer.environment(in: directory)
      let file = try directory.write(Ruler.file(0..<88_200, rate: 44_100), to: "1.wav")
      let arguments = ["play", file.string, "--output", output]
      try Player.run(arguments, environment: environment, in: directory) { player in
        let outcome = try player.waitUntilExit(within: 20)
        #expect(outcome.status == 6)
        #expect(outcome.errors.count == 1)
      }
    }

    /// Enters `command` after some more sound has been recorded, and returns the frame of the recording at that time.
    private func enter(_ command: String, into player: Player, _ server: SoundServer) throws -> Int {
      try server.record(until: server.frameCount + server.rate * Self.maximumLatency / 1000)
      let frame = try server.frameCount
      try player.enter(command)
      return frame
    }

    /// Plays `album`, and expects `sound` in the recording, from the first frame to the last.
    private func expectAudible(
      _ sound: [UInt8], of album: FilePath, depth: SampleDepth, _ server: SoundServer, _ output: String
    ) throws {
      let arguments = ["play", album.string, "--output", output]
      // A large buffer, so that other load on the processor causes no gaps.
      let environment = server.environment.merging(["PULSE_LATENCY_MSEC": "500"]) { $1 }
      try Player.run(arguments, environment: environment, in: server.directory) { player in
        let outcome = try player.waitUntilExit(within: 60)
        #expect(outcome.status == 0)
        #expect(outcome.errors == [])
      }
      let frameSize = depth.byteCount * 2
      let leadingSilence = (sound.firstIndex { $0 != 0 } ?? 0) / frameSize
      let start = try server.awaitSound() - leadingSilence
      try server.record(until: start + sound.count / frameSize)
      let heard = Data(try server.bytes.dropFirst(start * frameSize).prefix(sound.count))
      if heard == Data(sound) { return }
      let difference = PCM.firstDifference(
        PCM.samples(heard, depth: depth), PCM.samples(sound, depth: depth), channels: 2)
      Issue.record("heard \(difference ?? "the same")")
    }
  }
}
