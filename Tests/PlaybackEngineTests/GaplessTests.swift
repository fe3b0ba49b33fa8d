// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import Resampling
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Parts of one file, played one after the other.
@Suite struct SegmentTests {
  /// Plays these parts of one scripted file, as sources 1, 2, ..., to the end; returns the output and how often the
  /// file was opened.
  private func played(
    _ script: DecodingScript, _ bounds: [(Int, Int?)], transition: Transition = .gapless
  ) throws -> (samples: [Int32], openings: Int, events: [EngineEvent]) {
    let decoders = ScriptedDecoders([script])
    let outputs = CollectingOutputs(isRealTime: false)
    let engine = try PlaybackEngine(
      decoders: { path throws(DecodingError) in try decoders.open(path) }, resamplers: { _, _, _ in nil },
      outputs: { format throws(OutputError) in try outputs.open(format) })
    let log = Watched<[EngineEvent]>([])
    let source = { @Sendable (index: Int) in
      PlaybackSource(
        id: .init(rawValue: UInt64(index + 1)), path: "1",
        segment: SourceSegment(start: bounds[index].0, end: bounds[index].1))
    }
    engine.onEvent { [weak engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue)
      engine?.setNext(after: id, next < bounds.count ? source(next) : nil, transition)
    }
    engine.play(source(0))
    #expect(log.wait { $0.contains(.finished) })
    _ = engine.shutDown(within: 20_000)
    return (outputs.openings.flatMap(\.samples), decoders.opened.count, log.value)
  }

  @Test(arguments: [44_100, 48_000, 22_050])
  func `adjacent parts play as the whole file, which is opened once`(rate: Int) throws {
    let script = DecodingScript(tag: 2, frameCount: rate * 3, format: .of(rate, channels: 2, .bits24))
    let result = try played(script, [(4, 75), (75, 76), (76, 130), (130, nil)])
    let expected = script.samples((4 * rate / 75)..<script.frameCount)
    #expect(PCM.firstDifference(result.samples, expected, channels: 2) == nil)
    #expect(result.openings == 1)
  }

  @Test func `parts that are not adjacent are opened and played separately`() throws {
    let script = DecodingScript(tag: 3, frameCount: 44_100 * 2)
    let result = try played(script, [(75, 100), (10, 20), (20, 30), (20, 30)])
    let expected = [75..<100, 10..<20, 20..<30, 20..<30].flatMap {
      script.samples(($0.lowerBound * 588)..<($0.upperBound * 588))
    }
    #expect(PCM.firstDifference(result.samples, expected, channels: 2) == nil)
    #expect(result.openings == 3)
  }

  @Test func `a part beyond the end of the file is empty, and the next one is played`() throws {
    let script = DecodingScript(tag: 3, frameCount: 44_100)
    let result = try played(script, [(500, 600), (10, 20)])
    #expect(PCM.firstDifference(result.samples, script.samples(5_880..<11_760), channels: 2) == nil)
    #expect(result.events.contains { if case .failed = $0 { true } else { false } })
  }
}

/// Plays real files one after the other into collecting outputs.
struct FilePlayer {
  let outputs: CollectingOutputs
  let events: [EngineEvent]

  /// Plays the files at `paths`, as sources 1, 2, ..., to their end.
  init(
    _ paths: [FilePath], settings: EngineSettings = EngineSettings(),
    outputs: CollectingOutputs = CollectingOutputs(isRealTime: false), seconds: Double = 300
  ) throws {
    let engine = try PlaybackEngine(
      settings: settings, decoders: { path throws(DecodingError) in try SndfileDecoder(path: path) },
      resamplers: SoxrResampler.make, outputs: { format throws(OutputError) in try outputs.open(format) })
    let log = Watched<[EngineEvent]>([])
    let source = { @Sendable (index: Int) in
      PlaybackSource(id: .init(rawValue: UInt64(index)), path: paths[index])
    }
    engine.onEvent { [weak engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.setNext(after: id, next < paths.count ? source(next) : nil)
    }
    engine.play(source(0))
    _ = log.wait(seconds: seconds) { $0.contains(.finished) }
    _ = engine.shutDown(within: 20_000)
    self.outputs = outputs
    events = log.value
  }

  /// Returns all samples of the file at `path`.
  static func samples(of path: FilePath) throws -> (format: AudioFormat, samples: [Float]) {
    let decoder = try SndfileDecoder(path: path)
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: 16_384 * decoder.format.channels)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
      guard count > 0 else { return (decoder.format, samples) }
      samples += buffer[..<(count * decoder.format.channels)]
    }
  }

  /// Returns `samples` as bytes of `depth`, rounded.
  static func bytes(_ samples: [Float], _ depth: SampleDepth) -> [UInt8] {
    var words = [UInt32](repeating: 0, count: samples.count + 1)
    return words.withUnsafeMutableBytes { buffer in
      let count = samples.withUnsafeBufferPointer { depth.convert($0, to: buffer) }
      return Array(buffer[..<count])
    }
  }
}

extension ProgramLane {
  /// Real files of every format join as if they were one.
  @Suite struct GaplessTests {
    /// A file format, and the command that creates a file `OUT` in it from the WAV file `IN`; none for WAV itself.
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

    /// A file and its decoded samples, as bytes of both depths.
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

    /// Returns indices below `count`, in an order in which each is followed by every index, including itself, once.
    private static func everyPair(_ count: Int) -> [Int] {
      (0..<count).flatMap { left in [left] + (left + 1..<count).flatMap { [left, $0] } } + [0]
    }

    @Test func `every format joins every other without a frame added, lost or changed`() throws {
      let directory = try TemporaryDirectory()
      let files = try Self.files(in: directory)
      let order = Self.everyPair(files.count)
      #expect(Set(zip(order, order.dropFirst()).map { $0 * 1000 + $1 }).count == files.count * files.count)

      // A device stays open for formats that it plays without loss.
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
        let expectedSamples = PCM.samples(expected.bytes, depth: opening.format.depth)
        Issue.record(
          """
          \(opening.format): \
          \(PCM.firstDifference(opening.samples, expectedSamples, channels: opening.format.channels) ?? "")
          """)
        return
      }
    }
  }
}
