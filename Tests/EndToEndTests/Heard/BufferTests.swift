// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// Sounds that are short enough for the buffer, played through PulseAudio and through ALSA's PulseAudio plug-in.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct BufferTests {
    private static let rate = 44_100
    private static let hasPlugin = [
      "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/alsa-lib", "/usr/lib64",
    ].contains { FileManager.default.fileExists(atPath: $0 + "/alsa-lib/libasound_module_pcm_pulse.so") }

    @Test(arguments: [50, 60, 900], [nil, "40", "600"])
    func `Sound through libao is heard to its end, whatever the buffer size`(
      milliseconds: Int, latency: String?
    ) throws {
      try expectAudible(
        milliseconds, output: "ao:pulse", environment: latency.map { ["PULSE_LATENCY_MSEC": $0] } ?? [:])
    }

    @Test(arguments: [50, 900], [nil, "40"])
    func `Sound through PulseAudio is heard to its end`(milliseconds: Int, latency: String?) throws {
      try expectAudible(
        milliseconds, output: "pulse", environment: latency.map { ["PULSE_LATENCY_MSEC": $0] } ?? [:])
    }

    @Test(.enabled(if: hasPlugin, "ALSA has no plug-in for PulseAudio here"), arguments: [50, 900])
    func `Sound through ALSA is heard to its end`(milliseconds: Int) throws {
      try expectAudible(milliseconds, output: "alsa", environment: [:])
    }

    @Test func `If an output cannot be opened, only the program's own line is on standard error`() throws {
      let directory = try TemporaryDirectory()
      let environment = try SoundServer.environment(in: directory)
      let file = try directory.write(Ruler.file(0..<100, rate: Self.rate), to: "1.wav")
      try Player.run(
        ["play", file.string, "--output", "alsa:nonesuch"], environment: environment, in: directory
      ) { player in
        let outcome = try player.waitUntilExit(within: 20)
        #expect(outcome.status == 6)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("alsa \"nonesuch\"") == true)
      }
    }

    private func expectAudible(_ milliseconds: Int, output: String, environment: [String: String]) throws {
      let count = Self.rate * milliseconds / 1000
      try SoundServer.run(rate: Self.rate) { server in
        try server.directory.write(Ruler.file(0..<count, rate: Self.rate), to: "album/1.wav")
        try server.directory.write("pcm.!default { type pulse }\n".utf8, to: ".asoundrc")
        let environment = server.environment.merging(environment) { $1 }
        try Player.run(
          ["play", server.album.string, "--output", output], environment: environment, in: server.directory
        ) { player in
          let outcome = try player.waitUntilExit(within: 20)
          #expect(outcome.status == 0)
          #expect(outcome.errors == [])
        }
        // Once later frames are recorded, the recording has all of the sound.
        try server.record(until: server.frameCount + Self.rate / 10)
        let runs = Ruler.runs(try server.frames)
        #expect(runs.first?.position == 0 && runs.last?.next == count, "\(runs)")
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.next == $1.position }, "\(runs)")
        // A buffer of 40 ms underruns if other programs are running, which is fine as long as no sound is lost.
        #expect(runs.count == 1 || environment["PULSE_LATENCY_MSEC"] == "40", "\(runs)")
      }
    }
  }
}
