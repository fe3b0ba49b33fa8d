// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// The device is lost and comes back. Before and after, the album is heard, except for the sound in the device's
  /// buffer, which may be heard twice or not at all.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct OutageTests {
    private static let rate = 44_100
    /// The number of frames in the buffer of 500 ms and in the fade after it.
    private static let buffer = rate * 510 / 1000

    /// Writes an album of two tracks, four seconds long in total.
    private func writeAlbum(_ server: SoundServer) throws {
      try server.directory.write(Ruler.file(0..<2 * Self.rate, rate: Self.rate), to: "album/1.wav")
      try server.directory.write(
        Ruler.file(2 * Self.rate..<4 * Self.rate, rate: Self.rate), to: "album/2.wav")
    }

    /// Expects that `rest` continues where `heard` ended, to the end of the album.
    private func expectContinued(_ heard: [Ruler.Run], _ rest: [Ruler.Run]) throws {
      #expect(heard.map(\.position) == [0], "\(heard)")
      let end = try #require(heard.last?.next)
      let start = try #require(rest.first?.position)
      #expect(abs(start - end) <= Self.buffer, "went on \(start - end) frames behind the last that was heard")
      #expect(rest.count == 1 && rest.last?.next == 4 * Self.rate, "\(rest)")
    }

    @Test func `A server crash is reported, and playback resumes on the next server where it stopped`()
      throws
    {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + 5 * Self.rate / 4)
          server.kill()
          try player.complains("reopening the output: pulse: device lost")
          let heard = Ruler.runs(try server.frames)
          try server.restart()
          try player.complains("the output device is back")
          let end = try player.end(within: 20)
          #expect(end.status == 0)
          #expect(end.errors.count == 2, "\(end.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(heard, Ruler.runs(server.frames))
        }
      }
    }

    @Test func `After a sink is unplugged and plugged in again, playback resumes where it stopped`() throws {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + Self.rate / 2)
          try server.unplug()
          try player.complains("reopening the output")
          let heard = Ruler.runs(try server.frames)
          try server.plugIn()
          let end = try player.end(within: 20)
          #expect(end.status == 0, "\(end.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(heard, Ruler.runs(server.frames))
        }
      }
    }

    @Test func `A suspended sink is reported, and nothing is lost when it resumes`()
      throws
    {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          let start = try server.awaitSound()
          try server.record(until: start + Self.rate / 2)
          try server.control("suspend-sink", "test", "1")
          // Until the buffer is full and a write blocks, nothing is wrong.
          try player.complains("the output is not responding")
          try waitFor("the status") { try player.status(json: false).contains("is not responding") }
          try server.control("suspend-sink", "test", "0")
          let end = try player.end(within: 20)
          #expect(end.status == 0)
          #expect(end.errors.last == "segue: the output is responding again")
          try server.record(until: server.frameCount + Self.rate / 10)
          let runs = Ruler.runs(try server.frames)
          #expect(runs.first?.position == 0 && runs.last?.next == 4 * Self.rate, "\(runs)")
          // The server loses the block that it was about to play, but no more.
          for (run, next) in zip(runs, runs.dropFirst()) {
            #expect((0...Self.rate / 40).contains(next.position - run.next), "\(runs)")
          }
        }
      }
    }

    @Test func `With --pause-on-loss the player pauses, and resumes on request`() throws {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["repl", "--output", "pulse", "--pause-on-loss"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.say("play '\(server.album)'")
          try server.record(until: server.awaitSound() + Self.rate / 2)
          server.kill()
          try waitFor("the pause") { try player.status().contains("\"phase\":\"paused\"") }
          let heard = Ruler.runs(try server.frames)
          try server.restart()
          // Longer than the interval at which it retries the device.
          try server.record(until: server.frameCount + Self.rate / 2)
          #expect(try server.frames.allSatisfy { $0 == (0, 0) })
          // A script prints notices after its next line.
          try player.say("volume")
          try player.complains("segue: paused: pulse: device lost")
          try player.say("resume")
          try player.endScript()
          let end = try player.end(within: 20)
          #expect(end.status == 0)
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(heard, Ruler.runs(server.frames))
        }
      }
    }
  }
}
