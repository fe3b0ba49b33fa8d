// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Changes of the equaliser while music plays through a buffer of several seconds.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct EqualiserTests {
    /// The constant sample of the sound that is played, and by how much a change moves it at least. Dither moves it
    /// less.
    private static let (level, change) = (16_000, 200)
    /// How often each command is entered.
    private static let count = 10
    /// How soon a change is heard, in milliseconds, with 20 ms by which the recording may be late. If the program is
    /// not optimised, its filters take longer, but still a fraction of what is buffered.
    #if DEBUG
      private static let limit = 500.0
    #else
      private static let limit = 60.0
    #endif

    @Test func `A change of the equaliser is heard within 40 ms, like one of the volume`() throws {
      try SoundServer.run { server in
        let samples = [Int32](repeating: Int32(Self.level), count: 2 * 120 * server.rate)
        try server.directory.write(
          WaveFile.bytes(samples, rate: server.rate, channels: 2, depth: .bits16), to: "album/1.wav")
        let profile = try server.directory.write("Preamp: -6 dB\n".utf8, to: "Low.txt")
        let arguments = ["repl", "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.enter("play '\(server.album)'")
          _ = try server.awaitSound()
          try player.enter("equalizer import '\(profile)'")
          try player.enter("equalizer use Low")
          try waitFor("the profile") { try Int(server.lastFrame?.left ?? 0) < Self.level * 3 / 4 }
          try expectPrompt(["equalizer bypass", "equalizer bypass"], player, server)
          try expectPrompt(["equalizer preamp -3", "equalizer preamp -6"], player, server)
          try expectPrompt(["volume 80", "volume 100"], player, server)
          try player.enter("quit")
          #expect(try player.waitUntilExit(within: 20).status == 0)
        }
      }
    }

    /// Enters the commands by turns, and expects the level to change soon after the quickest: a busy machine may delay
    /// any of them.
    private func expectPrompt(_ commands: [String], _ player: Player, _ server: SoundServer) throws {
      var delays: [Double] = []
      for number in 0..<Self.count {
        try server.record(until: server.frameCount + server.rate / 4)
        let before = Int(try server.lastFrame?.left ?? 0)
        let hasChanged = { (frame: (left: Int16, right: Int16)) in abs(Int(frame.left) - before) > Self.change }
        let entered = try server.frameCount
        try player.enter(commands[number % commands.count])
        try waitFor("the level after \(commands[number % commands.count])") {
          try server.lastFrame.map(hasChanged) ?? false
        }
        let changed = try server.frames.dropFirst(entered).firstIndex(where: hasChanged) ?? entered
        delays.append((Double(changed - entered) * 1000 / Double(server.rate)).rounded())
      }
      let quickest = try #require(delays.min())
      #expect(quickest < Self.limit, "\(commands[0]): \(delays) ms")
    }
  }
}
