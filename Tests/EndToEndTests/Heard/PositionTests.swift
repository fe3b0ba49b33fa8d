import Foundation
import Platform
import TestSupport
import Testing

extension HeardLane {
  /// The position that `segue status` tells, beside what the monitor has heard.
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

    @Test func `The position never runs ahead of what is heard`() throws {
      try SoundServer.run { server in
        try server.directory.write(Ruler.file(0..<3 * Self.rate, rate: Self.rate), to: "album/1.wav")
        try server.directory.write(
          Ruler.file(3 * Self.rate..<6 * Self.rate, rate: Self.rate), to: "album/2.wav")
        var statuses: [Status] = []
        // When frame 0 was recorded, by the reading that was the least late.
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
          let told = status.elapsed + (status.song?.title == "2" ? 3 : 0)
          // When it was recorded is known to some milliseconds, and around a seek that is another place.
          let heard = [0, -1, 1].compactMap { Self.place(heardAt: index + $0 * Self.rate / 20, in: runs) }
          // Less than was heard does no harm; it is what a look at the clock twice a second allows.
          #expect(
            heard.contains { (-0.25..<0.05).contains(told - $0) },
            "\(told) s were told and \(heard) s heard, at \(index) of \(runs)")
        }
      }
    }

    /// The place, in seconds, that was heard last at the frame `index` of the recording; `nil` before anything was.
    private static func place(heardAt index: Int, in runs: [Ruler.Run]) -> Double? {
      runs.last { $0.index <= index }.map { Double(min($0.place + index - $0.index, $0.next)) / Double(rate) }
    }
  }
}
