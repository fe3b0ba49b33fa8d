// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Another output is used while an album plays.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct OutputSwitchTests {
    private static let rate = 44_100
    /// The number of frames of the two fades, and of what the ruler needs to find its place.
    private static let joinFrames = rate * 30 / 1_000

    @Test func `The album plays on to a file from where the sound server was left`() throws {
      try SoundServer.run { server in
        try server.directory.write(Ruler.file(0..<2 * Self.rate, rate: Self.rate), to: "album/1.wav")
        try server.directory.write(Ruler.file(2 * Self.rate..<4 * Self.rate, rate: Self.rate), to: "album/2.wav")
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          try server.record(until: server.awaitSound() + Self.rate / 2)
          let refused = try player.perform("outputs", "use", "pulse:nowhere")
          #expect(refused.isEmpty)
          let file = server.directory.file("rest.raw")
          try player.perform("outputs", "use", "raw:\(file)")
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0, "\(outcome.errors)")
          try server.record(until: server.frameCount + Self.rate / 10)
          let before = Ruler.runs(try server.frames)
          let after = Ruler.runs(SoundServer.frames(in: try contents(of: file)))
          #expect(before.first?.position == 0 && after.last?.next == 4 * Self.rate, "\(before) \(after)")
          let runs = before + after
          for (run, next) in zip(runs, runs.dropFirst()) {
            let missing = next.position - run.next
            #expect((0...Self.joinFrames).contains(missing), "\(missing) frames are missing after \(run.next)")
          }
        }
      }
    }
  }
}
