import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What `segue status` says of the path of the sound, of a player in another process.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct SignalPathTests {
    @Test func `The path is bit-perfect, or it is said why not`() throws {
      try SoundServer.run { server in
        // Longer than any of them is played.
        func make(_ path: FilePath, _ options: [String]) throws -> String {
          let tone = ["synth", "60", "sine", "440", "vol", "0.5"]
          try Tool.run("sox", ["-R", "-n", "-r", "44100", "-c", "2"] + options + [path.string] + tone)
          return path.string
        }
        let tone = try make(server.directory["a.wav"], ["-b", "16"])
        let plain = server.album.appending("a.flac").string
        try Tool.run("flac", ["-s0", "-T", "REPLAYGAIN_TRACK_GAIN=-3.00 dB", "-o", plain, tone])
        let deep = try make(server.album.appending("b.wav"), ["-b", "24"])
        let wide = try make(server.album.appending("c.wav"), ["-b", "32", "-e", "signed"])
        let float = try make(server.album.appending("d.wav"), ["-b", "32", "-e", "float"])
        let law = try make(server.album.appending("e.wav"), ["-e", "mu-law"])
        try expect("bit-perfect", [plain], server)
        try expect("not bit-perfect: volume 80 %", [plain, "--volume", "80"], server)
        try expect(
          "not bit-perfect: ReplayGain: track gain -3.0 dB", [plain, "--replay-gain", "track"], server)
        try expect(
          "not bit-perfect: resampled from 44100 to 48000 Hz", [plain, "--rate", "48000"], server)
        try expect("bit-perfect", [deep], server)
        try expect("not bit-perfect: reduced from 24 to 16 bits", [deep, "--depth", "16"], server)
        try expect("not bit-perfect: reduced from 32 to 24 bits", [wide], server)
        try expect("not bit-perfect: floating point, rounded to 24 bits", [float], server)
        try expect("not bit-perfect: the file's coding is lossy", [law], server)
      }
    }

    private func expect(_ path: String, _ arguments: [String], _ server: SoundServer) throws {
      // The volume is kept from one player to the next.
      let volume = arguments.contains("--volume") ? [] : ["--volume", "100"]
      try Player.run(
        ["play", "--output", "pulse"] + volume + arguments, environment: server.environment,
        in: server.directory
      ) { player in
        try waitFor("\"\(path)\" of \(arguments)") {
          try player.status(json: false).split(separator: "\n").contains("  path        \(path)")
        }
        #expect(try player.status().contains("\"deviations\":[]") == (path == "bit-perfect"))
      }
    }
  }
}
