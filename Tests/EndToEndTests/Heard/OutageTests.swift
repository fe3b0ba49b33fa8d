// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Tests in which the output device is lost and comes back. The whole album is heard, except that the sound in the
  /// device's buffer may be heard twice or not at all.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct OutageTests {
    private static let rate = 44_100
    /// The number of frames in the buffer of 500 ms and the fade after it.
    private static let bufferFrames = rate * 510 / 1000

    /// Writes an album of two tracks, four seconds long in total.
    private func writeAlbum(_ server: SoundServer) throws {
      try server.directory.write(Ruler.file(0..<2 * Self.rate, rate: Self.rate), to: "album/1.wav")
      try server.directory.write(
        Ruler.file(2 * Self.rate..<4 * Self.rate, rate: Self.rate), to: "album/2.wav")
    }

    /// Expects that `after` continues where `before` ended, to the end of the album.
    private func expectContinued(_ before: [Ruler.Run], _ after: [Ruler.Run]) throws {
      #expect(before.map(\.position) == [0], "\(before)")
      let end = try #require(before.last?.next)
      let start = try #require(after.first?.position)
      #expect(abs(start - end) <= Self.bufferFrames, "resumed \(start - end) frames after the last one heard")
      #expect(after.count == 1 && after.last?.next == 4 * Self.rate, "\(after)")
    }

    @Test(arguments: ["pulse", "ao:pulse"])
    func `A server crash is reported, and playback resumes on the next server where it stopped`(output: String)
      throws
    {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", output]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + 5 * Self.rate / 4)
          server.kill()
          try player.waitForError(containing: "reopening the output: pulse:")
          let before = Ruler.runs(try server.frames)
          try server.restart()
          try player.waitForError(containing: "the output device is back")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0)
          #expect(outcome.errors.count == 2, "\(outcome.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(before, Ruler.runs(server.frames))
        }
      }
    }

    @Test(arguments: ["pulse", "ao:pulse"])
    func `After a sink is unplugged and plugged in again, playback resumes where it stopped`(output: String) throws {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", output]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + Self.rate / 2)
          try server.unplug()
          try player.waitForError(containing: "reopening the output")
          let before = Ruler.runs(try server.frames)
          try server.plugIn()
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0, "\(outcome.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(before, Ruler.runs(server.frames))
        }
      }
    }

    @Test(arguments: ["pulse", "ao:pulse"])
    func `A suspended sink is reported, and nothing is lost when it resumes`(output: String)
      throws
    {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", output]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          let start = try server.awaitSound()
          try server.record(until: start + Self.rate / 2)
          try server.control("suspend-sink", "test", "1")
          // This is detected only when the buffer is full and a write blocks.
          try player.waitForError(containing: "the output is not responding")
          try waitFor("the status") { try player.status(json: false).contains("is not responding") }
          try server.control("suspend-sink", "test", "0")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0)
          #expect(outcome.errors.last == "segue: the output is responding again")
          try server.record(until: server.frameCount + Self.rate / 10)
          let runs = Ruler.runs(try server.frames)
          #expect(runs.first?.position == 0 && runs.last?.next == 4 * Self.rate, "\(runs)")
          // The server loses the block that it was about to play, but nothing else.
          for (run, next) in zip(runs, runs.dropFirst()) {
            #expect((0...Self.rate / 40).contains(next.position - run.next), "\(runs)")
          }
        }
      }
    }

    @Test(arguments: ["pulse", "ao:pulse"])
    func `With --pause-on-loss the player pauses, and resumes on request`(output: String) throws {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["repl", "--output", output, "--pause-on-loss"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.enter("play '\(server.album)'")
          try server.record(until: server.awaitSound() + Self.rate / 2)
          server.kill()
          try waitFor("the pause") { try player.status().contains("\"phase\":\"paused\"") }
          let before = Ruler.runs(try server.frames)
          try server.restart()
          // Longer than the interval at which a player retries the device.
          try server.record(until: server.frameCount + Self.rate / 2)
          #expect(try server.frames.allSatisfy { $0 == (0, 0) })
          // A REPL that reads a script prints notices after the next line.
          try player.enter("volume")
          try player.waitForError(containing: "segue: paused: pulse:")
          try player.enter("resume")
          try player.endScript()
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0)
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(before, Ruler.runs(server.frames))
        }
      }
    }
  }
}
