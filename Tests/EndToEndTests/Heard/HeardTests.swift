// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// Tests of what is heard through a sound server, in real time. Each test has its own server, so that several run in
/// parallel.
@Suite enum HeardLane {}

extension HeardLane {
  /// What a listener hears from the program, through a sound server.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct HeardTests {
    /// The maximum time in milliseconds of the recording until a command is heard: the latency stated in the README,
    /// plus what a busy machine needs to run the player and the recorder. If its buffer were not limited, PulseAudio
    /// would hold two seconds.
    private static let limit = 1_200

    @Test func `An album cut from one recording is heard as that recording`() throws {
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
        try expectAudible(Array(before + after), of: server.album, depth: .bits16, server)
      }
    }

    @Test func `24-bit sound is heard to the last bit`() throws {
      var random = SeededGenerator(seed: 24)
      let samples = (0..<44_100).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &random) }
      let file = WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits24)
      try SoundServer.run(depth: .bits24) { server in
        try server.directory.write(file, to: "album/noise.wav")
        try expectAudible(Array(file.suffix(samples.count * 3)), of: server.album, depth: .bits24, server)
      }
    }

    @Test(arguments: [44_100, 192_000])
    func `Pause, resume, next and seek are heard within the stated latency`(rate: Int) throws {
      try SoundServer.run(rate: rate) { server in
        try server.directory.write(Ruler.file(0..<4 * rate, rate: rate), to: "album/1.wav")
        try server.directory.write(Ruler.file(4 * rate..<8 * rate, rate: rate), to: "album/2.wav")
        let arguments = ["repl", "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.say("play '\(server.album)'")
          _ = try server.awaitSound()
          let pause = try say("pause", to: player, server)
          let resume = try say("resume", to: player, server)
          let next = try say("next", to: player, server)
          let seek = try say("seek 1", to: player, server)
          try server.record(until: seek + rate * Self.limit / 1000)
          try player.say("quit")
          let end = try player.end(within: 20)
          #expect(end.status == 0)
          #expect(end.errors == [])

          let frames = try server.frames
          // If the machine is late, there is silence between two frames, but none is lost.
          let runs = Ruler.joined(Ruler.runs(frames))
          try #require(runs.count == 4, "\(runs)")
          let fade = rate * 8 / 1000 + 1
          let heard = [
            "pause": (pause, runs[0].end + fade), "resume": (resume, runs[1].index - fade),
            "next": (next, runs[2].index), "seek": (seek, runs[3].index - fade),
          ]
          for (word, times) in heard {
            let latency = Double(times.1 - times.0) * 1000 / Double(rate)
            #expect(latency < Double(Self.limit), "\(word) was heard after \(latency) ms")
          }
          // No frame of the first file is lost or repeated across the pause: the sound between the two runs, all of it
          // faded, is as long as the gap between their positions. The first frame of a fade is silent.
          #expect(runs[0].position == 0)
          let faded = frames[runs[0].end..<runs[1].index].count { $0.left != 0 || $0.right != 0 }
          #expect(runs[1].position - runs[0].next == faded + 1)
          #expect(runs[2].position == 4 * rate)
          #expect((5 * rate...5 * rate + fade).contains(runs[3].position))
        }
      }
    }

    @Test func `Without a server, the program ends with a status and one line`() throws {
      let directory = try TemporaryDirectory()
      let environment = try SoundServer.environment(in: directory)
      let file = try directory.write(Ruler.file(0..<88_200, rate: 44_100), to: "1.wav")
      let arguments = ["play", file.string, "--output", "pulse"]
      try Player.run(arguments, environment: environment, in: directory) { player in
        let end = try player.end(within: 20)
        #expect(end.status == 6)
        #expect(end.errors.count == 1)
      }
    }

    /// Types `word` after some more sound has been recorded, and returns the time at which it was typed.
    private func say(_ word: String, to player: Player, _ server: SoundServer) throws -> Int {
      try server.record(until: server.frameCount + server.rate * Self.limit / 1000)
      let time = try server.frameCount
      try player.say(word)
      return time
    }

    /// Plays `album` and expects that `sound` is heard, from the first frame to the last.
    private func expectAudible(_ sound: [UInt8], of album: FilePath, depth: SampleDepth, _ server: SoundServer)
      throws
    {
      let arguments = ["play", album.string, "--output", "pulse"]
      // A large buffer, so that other load on the processor is not heard.
      let environment = server.environment.merging(["PULSE_LATENCY_MSEC": "500"]) { $1 }
      try Player.run(arguments, environment: environment, in: server.directory) { player in
        let end = try player.end(within: 60)
        #expect(end.status == 0)
        #expect(end.errors == [])
      }
      let frameSize = depth.byteCount * 2
      let lead = (sound.firstIndex { $0 != 0 } ?? 0) / frameSize
      let start = try server.awaitSound() - lead
      try server.record(until: start + sound.count / frameSize)
      let heard = Data(try server.bytes.dropFirst(start * frameSize).prefix(sound.count))
      if heard == Data(sound) { return }
      let difference = PCM.firstDifference(
        PCM.samples(heard, depth: depth), PCM.samples(sound, depth: depth), channels: 2)
      Issue.record("heard \(difference ?? "the same")")
    }
  }
}
