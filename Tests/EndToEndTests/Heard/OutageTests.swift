import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// The device goes and comes back. What was heard before and what is heard after is the album, but for the sound that
  /// the device held: at most its buffer is heard twice or not at all.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct OutageTests {
    private static let rate = 44_100
    /// How many frames the buffer of 500 ms and the fade that follows it hold.
    private static let buffer = rate * 510 / 1000

    /// Writes an album of two tracks, which is four seconds long in all.
    private func writeAlbum(_ server: SoundServer) throws {
      try server.directory.write(Ruler.file(0..<2 * Self.rate, rate: Self.rate), to: "album/1.wav")
      try server.directory.write(
        Ruler.file(2 * Self.rate..<4 * Self.rate, rate: Self.rate), to: "album/2.wav")
    }

    /// Expects that `rest` goes on where `heard` ended, to the end of the album.
    private func expectContinued(_ heard: [Ruler.Run], _ rest: [Ruler.Run]) throws {
      #expect(heard.map(\.place) == [0], "\(heard)")
      let end = try #require(heard.last?.next)
      let start = try #require(rest.first?.place)
      #expect(abs(start - end) <= Self.buffer, "went on \(start - end) frames behind the last that was heard")
      #expect(rest.count == 1 && rest.last?.next == 4 * Self.rate, "\(rest)")
    }

    @Test func `A server that dies is told, and the next one goes on where it was heard last`()
      throws
    {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + 5 * Self.rate / 4)
          server.kill()
          try player.complains("trying to get the output back: pulse takes no more sound")
          let heard = Ruler.runs(try server.frames)
          try server.restart()
          try player.complains("the output is back")
          let end = try player.end(within: 20)
          #expect(end.status == 0)
          #expect(end.errors.count == 2, "\(end.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(heard, Ruler.runs(server.frames))
        }
      }
    }

    @Test func `A sink that is unplugged and plugged in again goes on where it was heard last`() throws {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + Self.rate / 2)
          try server.unplug()
          try player.complains("trying to get the output back")
          let heard = Ruler.runs(try server.frames)
          try server.plugIn()
          let end = try player.end(within: 20)
          #expect(end.status == 0, "\(end.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          try expectContinued(heard, Ruler.runs(server.frames))
        }
      }
    }

    @Test func `A sink that is suspended is told, and nothing is lost when it is resumed`()
      throws
    {
      try SoundServer.run { server in
        try writeAlbum(server)
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          let start = try server.awaitSound()
          try server.record(until: start + Self.rate / 2)
          try server.control("suspend-sink", "test", "1")
          // Until the buffer is full and a write has to wait, nothing is wrong.
          try player.complains("the output takes no sound")
          try waitFor("the status") { try player.status(json: false).contains("takes no sound at present") }
          try server.control("suspend-sink", "test", "0")
          let end = try player.end(within: 20)
          #expect(end.status == 0)
          #expect(end.errors.last == "segue: the output takes sound again")
          try server.record(until: server.frameCount + Self.rate / 10)
          let runs = Ruler.runs(try server.frames)
          #expect(runs.first?.place == 0 && runs.last?.next == 4 * Self.rate, "\(runs)")
          // The server forgets the block that it was about to play, and no more.
          for (run, next) in zip(runs, runs.dropFirst()) {
            #expect((0...Self.rate / 40).contains(next.place - run.next), "\(runs)")
          }
        }
      }
    }

    @Test func `With --pause-on-loss the player pauses, and goes on when it is told to`() throws {
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
          // Longer than it waits before it tries a device again.
          try server.record(until: server.frameCount + Self.rate / 2)
          #expect(try server.frames.allSatisfy { $0 == (0, 0) })
          // The script tells what happened behind its next line.
          try player.say("volume")
          try player.complains("segue: paused: pulse takes no more sound")
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
