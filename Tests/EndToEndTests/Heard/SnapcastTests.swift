import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What a client of Snapcast plays of what the player puts into the server's FIFO.
  ///
  /// A client may put silence between two frames, or leave one out, to keep step with its server: but it plays them in
  /// order.
  @Suite(.enabled(if: SnapcastServer.isInstalled, Comment(rawValue: SnapcastServer.reason)))
  struct SnapcastTests {
    private static let rate = SnapcastServer.rate
    private static let format = ["--rate", "48000", "--depth", "16", "--on-format-change", "resample"]

    /// Writes an album of two tracks, which lasts so many seconds in all.
    private func writeAlbum(_ server: SnapcastServer, seconds: Int) throws {
      let middle = seconds * Self.rate / 2 + 77
      try server.directory.write(Ruler.file(0..<middle, rate: Self.rate), to: "album/1.wav")
      try server.directory.write(Ruler.file(middle..<seconds * Self.rate, rate: Self.rate), to: "album/2.wav")
    }

    /// Expects that `runs` are the places in `places` in order, but for what a client leaves out to keep step.
    private func expectInOrder(_ runs: [Ruler.Run], _ places: Range<Int>) throws {
      // The first 8 ms are faded in.
      let first = try #require(runs.first)
      let last = try #require(runs.last)
      #expect(first.place - places.lowerBound <= Self.rate / 100, "\(runs)")
      #expect(last.next == places.upperBound, "\(runs)")
      for (run, next) in zip(runs, runs.dropFirst()) {
        #expect((0...4).contains(next.place - run.next), "\(runs)")
      }
      #expect(runs.count <= 8, "\(runs)")
    }

    @Test func `two tracks arrive in order and without a gap, in the time that they last`() throws {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 3)
        let start = MonotonicInstant.now
        let arguments = ["play", server.album.string, "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try waitFor("the status") {
            try player.status().contains("\"latency\":0.341")
          }
          let end = try player.end(within: 20)
          #expect(end.status == 0 && end.errors == [])
          #expect(MonotonicInstant.now >= start.advanced(byMilliseconds: 2900))
        }
        try server.awaitSound(at: 3 * Self.rate, isEnd: true)
        try expectInOrder(Ruler.runs(server.frames), 0..<3 * Self.rate)
      }
    }

    @Test func `A server that is started again is played to again, and meanwhile it is said that it went`()
      throws
    {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 6)
        let arguments = ["play", server.album.string, "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.awaitSound(at: Self.rate)
          server.kill()
          let fifo = server.directory.file("fifo")
          try player.complains("trying to get the output back: \(fifo): its reader has gone")
          let heard = Ruler.runs(try server.frames)
          try expectInOrder(heard, 0..<(heard.last?.next ?? 0))
          try server.start()
          try player.complains("the output is back")
          let end = try player.end(within: 20)
          #expect(end.status == 0 && end.errors.count == 2, "\(end.errors)")
          try server.awaitSound(at: 6 * Self.rate, isEnd: true)
          let rest = Ruler.runs(try server.frames)
          let place = try #require(rest.first?.place)
          // It goes on where the server had read to; the client misses what comes before it has found the server again.
          #expect(place >= Self.rate && place <= 5 * Self.rate, "\(rest)")
          try expectInOrder(rest, place..<6 * Self.rate)
        }
      }
    }

    @Test func `In a pause nothing is sent, and playing goes on with the next frame`() throws {
      try SnapcastServer.run { server in
        try writeAlbum(server, seconds: 3)
        let arguments = ["repl", "--output", server.output] + Self.format
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try player.say("play '\(server.album)'")
          try server.awaitSound(at: Self.rate / 2)
          try player.say("pause")
          // Longer than a device is kept open, and than the server waits before it calls itself idle.
          try waitFor("the silence", every: 50) {
            try server.frames(last: 4 * Self.rate).allSatisfy { $0 == (0, 0) }
          }
          #expect(try player.status().contains("\"phase\":\"paused\""))
          let heard = Ruler.runs(try server.frames)
          try player.say("resume")
          try player.endScript()
          #expect(try player.end(within: 20).status == 0)
          try server.awaitSound(at: 3 * Self.rate, isEnd: true)
          let all = Ruler.runs(try server.frames)
          try expectInOrder(heard, 0..<(heard.last?.next ?? 0))
          // Between them are two fades of 8 ms.
          let rest = Array(all.dropFirst(heard.count))
          let gap = try #require(rest.first).place - (heard.last?.next ?? 0)
          #expect((0...Self.rate / 50).contains(gap), "\(all)")
          try expectInOrder(rest, (rest.first?.place ?? 0)..<3 * Self.rate)
        }
      }
    }
  }
}
