import AudioCore
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Real files of every format join as if they were one.
  @Suite struct GaplessTests {
    /// A format of files, and the command that makes one of `IN`.
    struct Coding: Sendable {
      var name: String
      var suffix: String
      var command: [String]
      var depth: SampleDepth?
      var rates = [44_100, 48_000, 96_000]
    }

    private static let codings: [Coding] = [
      Coding(name: "wav16", suffix: "wav", command: [], depth: .bits16),
      Coding(name: "wav24", suffix: "wav", command: [], depth: .bits24),
      Coding(name: "flac16", suffix: "flac", command: ["flac", "-s", "-o", "OUT", "IN"], depth: .bits16),
      Coding(name: "flac24", suffix: "flac", command: ["flac", "-s", "-o", "OUT", "IN"], depth: .bits24),
      Coding(name: "aiff16", suffix: "aiff", command: ["sox", "-D", "IN", "OUT"], depth: .bits16),
      Coding(name: "aiff24", suffix: "aiff", command: ["sox", "-D", "IN", "OUT"], depth: .bits24),
      Coding(
        name: "lame", suffix: "mp3", command: ["lame", "--quiet", "-b", "128", "IN", "OUT"],
        rates: [44_100, 48_000]),
      Coding(
        name: "id3", suffix: "mp3",
        command: ["lame", "--quiet", "-t", "-b", "128", "--id3v2-only", "--tt", "Song", "IN", "OUT"],
        rates: [44_100, 48_000]),
      Coding(
        name: "vorbis", suffix: "ogg", command: ["oggenc", "-Q", "-q", "3", "-o", "OUT", "IN"]),
      Coding(name: "opus", suffix: "opus", command: ["opusenc", "--quiet", "IN", "OUT"]),
    ]

    /// A file and what its decoder gives of it, as bytes of either depth.
    private struct File {
      let path: FilePath
      let format: AudioFormat
      let bytes: [SampleDepth: [UInt8]]
    }

    private static func files(in directory: TemporaryDirectory) throws -> [File] {
      var files: [File] = []
      for coding in codings {
        for rate in coding.rates {
          for channels in 1...2 {
            let stem = "\(coding.name)-\(rate)-\(channels)"
            let depth = coding.depth ?? .bits16
            var random = SeededGenerator(seed: UInt64(files.count))
            let limit = Int32(1) << Int32(depth.rawValue - 3)
            let count = (1501 + 7 * files.count) * channels
            let samples = (0..<count).map { _ in Int32.random(in: -limit...limit, using: &random) }
            let wave = try directory.write(
              WaveFile.bytes(samples, rate: rate, channels: channels, depth: depth), to: "\(stem).in.wav")
            var path = wave
            if let program = coding.command.first {
              path = directory.file("\(stem).\(coding.suffix)")
              let arguments = coding.command.dropFirst().map {
                $0 == "IN" ? wave.string : $0 == "OUT" ? path.string : $0
              }
              try Tool.run(program, Array(arguments))
            }
            let decoded = try FilePlayer.samples(of: path)
            #expect(decoded.format.channels == channels && decoded.format.sourceDepth == coding.depth)
            files.append(
              File(
                path: path, format: decoded.format,
                bytes: [
                  .bits16: FilePlayer.bytes(decoded.samples, .bits16),
                  .bits24: FilePlayer.bytes(decoded.samples, .bits24),
                ]))
          }
        }
      }
      return files
    }

    /// Indices below `count`, so that each stands before each other and before itself once.
    private static func everyPair(_ count: Int) -> [Int] {
      (0..<count).flatMap { left in [left] + (left + 1..<count).flatMap { [left, $0] } } + [0]
    }

    @Test func `every format joins every other without a frame added, lost or changed`() throws {
      let directory = try TemporaryDirectory()
      let files = try Self.files(in: directory)
      let order = Self.everyPair(files.count)
      #expect(Set(zip(order, order.dropFirst()).map { $0 * 1000 + $1 }).count == files.count * files.count)

      // A device stays open for what it carries without loss.
      var expected: [(format: DeviceFormat, bytes: [UInt8])] = []
      for index in order {
        let file = files[index]
        if let last = expected.last, last.format.carries(file.format) {
          expected[expected.count - 1].bytes += file.bytes[last.format.depth] ?? []
        } else {
          let format = DeviceFormat(for: file.format)
          expected.append((format, file.bytes[format.depth] ?? []))
        }
      }
      let player = try FilePlayer(order.map { files[$0].path })
      #expect(player.events.last == .finished)
      let openings = player.outputs.openings
      #expect(openings.map(\.format) == expected.map(\.format))
      for (opening, expected) in zip(openings, expected) where opening.bytes != expected.bytes {
        let wanted = PCM.samples(expected.bytes, depth: opening.format.depth)
        Issue.record(
          """
          \(opening.format): \
          \(PCM.firstDifference(opening.samples, wanted, channels: opening.format.channels) ?? "")
          """)
        return
      }
    }
  }
}
