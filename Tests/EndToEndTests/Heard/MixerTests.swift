// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What the player and the desktop's mixer tell each other through the sound server.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct MixerTests {
    @Test func `The mixer shows what plays, and during a call the player pauses`() throws {
      try SoundServer.run { server in
        try server.control("load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=music")
        try Noise(seed: 21, frames: 20 * 44_100)
          .write("album/1.flac", in: server.directory, "TITLE=Canon", "ARTIST=Ensemble")
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          _ = try server.awaitSound()
          try waitFor("the title") { try server.playerProperties().contains("media.name = \"Ensemble – Canon\"") }
          try server.call {
            try waitFor("the pause") { try player.status().contains("\"phase\":\"paused\"") }
            // The server ends only a pause that has begun.
            try waitFor("the end of the fade") { try server.playerProperties().contains("Corked: yes") }
          }
          try waitFor("the end of the pause") { try player.status().contains("\"phase\":\"playing\"") }
          player.send(15)
          _ = try player.waitUntilExit(within: 20)
        }
      }
    }

    @Test func `After calls that are shorter than a fade, and after one that crashed, the music plays`() throws {
      try SoundServer.run { server in
        try server.control("load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=music")
        try Noise(seed: 22, frames: 60 * 44_100).write("album/1.flac", in: server.directory)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          _ = try server.awaitSound()
          for milliseconds in [1, 5, 20, 1, 20, 5] {
            try server.call(lastingMilliseconds: milliseconds)
            try waitFor("the end of the pause") { try player.status().contains("\"phase\":\"playing\"") }
          }
          // The calls do not end a pause of the user.
          try player.perform("pause")
          try server.call(lastingMilliseconds: 5)
          #expect(try player.status().contains("\"phase\":\"paused\""))
          try player.perform("resume")
          // The end of this call kills its program.
          try server.call { try waitFor("the pause") { try player.status().contains("\"phase\":\"paused\"") } }
          try waitFor("the end of the pause") { try player.status().contains("\"phase\":\"playing\"") }
          player.send(15)
          _ = try player.waitUntilExit(within: 20)
        }
      }
    }

    @Test func `The music plays after a call during which its stream has ended`() throws {
      try SoundServer.run { server in
        try server.control("load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=music")
        try Noise(seed: 23, frames: 60 * 44_100).write("album/1.flac", in: server.directory)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          _ = try server.awaitSound()
          // The sink of the music and of the call vanishes.
          try server.call {
            try waitFor("the end of the fade") { try server.playerProperties().contains("Corked: yes") }
            try server.unplug()
          }
          try server.plugIn()
          try waitFor("the end of the pause") { try player.status().contains("\"phase\":\"playing\"") }
          _ = try server.awaitSound()
          player.send(15)
          _ = try player.waitUntilExit(within: 20)
        }
      }
    }

    @Test func `The volume is the same in the player and in the mixer, whichever sets it`() throws {
      try playingLevel { server, player in
        try expectVolume(80, server, player)
        try player.perform("volume", "40")
        try expectVolume(40, server, player)
        try server.setPlayerVolume(percent: 65)
        try expectVolume(65, server, player)
        // As when a slider is dragged.
        for percent in [60, 55, 50, 45, 50, 57] { try server.setPlayerVolume(percent: percent) }
        try expectVolume(57, server, player)
        try player.perform("pause")
        try waitFor("the end of the fade") { try server.playerProperties().contains("Corked: yes") }
        try player.perform("volume", "30")
        try expectVolume(30, server, player)
        try server.setPlayerVolume(percent: 90)
        try expectVolume(90, server, player)
        try player.perform("resume")
        try waitFor("the end of the pause") { try server.playerProperties().contains("Corked: no") }
        try expectVolume(90, server, player)
        try server.setPlayerVolume(percent: 130)
        try waitFor("full volume") { try player.status().contains("\"volume\":100}") }
        try waitFor("the mixer's volume") { try server.playerProperties().contains(" 130%") }
      }
    }

    @Test func `A change of the volume is recorded as small steps from one level to the other`() throws {
      try playingLevel { server, player in
        try waitFor("the level") { try server.frames.last?.left == Self.amplified(80) }
        for (percent, before) in [(60, 80), (100, 60)] {
          // The recording is behind what plays, by more on a busy machine.
          try server.record(until: server.frameCount + server.rate / 2)
          let start = try server.frameCount - server.rate / 4
          try player.perform("volume", "\(percent)")
          try waitFor("the level at \(percent) %") { try server.frames.last?.left == Self.amplified(percent) }
          let levels = try server.frames[start...].map { Int($0.left) }
          let steps = zip(levels, levels.dropFirst()).map { $1 - $0 }.filter { $0 != 0 }
          #expect(levels.first == Int(Self.amplified(before)))
          #expect(steps.allSatisfy { ($0 > 0) == (percent > before) }, "\(steps)")
          // On a sink that does not rewind, two steps may coincide; if the machine is busy, three. The largest three
          // are 4,339 together.
          #expect(steps.count >= 4, "\(steps)")
          #expect(steps.allSatisfy { abs($0) < 4_500 }, "\(steps)")
        }
      }
    }

    /// The constant sample of the sound that is played.
    private static let level = 16_000.0

    /// Returns that sample at a volume.
    private static func amplified(_ percent: Int) -> Int16 {
      let fraction = Double(percent) / 100
      // The server truncates.
      return Int16(level * fraction * fraction * fraction)
    }

    /// Plays a constant level at a volume of 80 % while `body` runs.
    private func playingLevel(_ body: (SoundServer, Player) throws -> Void) throws {
      try SoundServer.run { server in
        let samples = [Int32](repeating: Int32(Self.level), count: 2 * 60 * server.rate)
        try server.directory.write(
          WaveFile.bytes(samples, rate: server.rate, channels: 2, depth: .bits16), to: "album/1.wav")
        let arguments = ["play", server.album.string, "--output", "pulse", "--volume", "80"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          _ = try server.awaitSound()
          try body(server, player)
          player.send(15)
          _ = try player.waitUntilExit(within: 20)
        }
      }
    }

    private func expectVolume(_ percent: Int, _ server: SoundServer, _ player: Player) throws {
      try waitFor("\(percent) % in the player") { try player.status().contains("\"volume\":\(percent)}") }
      try waitFor("\(percent) % in the mixer") { try server.playerProperties().contains(" \(percent)%") }
    }
  }
}
