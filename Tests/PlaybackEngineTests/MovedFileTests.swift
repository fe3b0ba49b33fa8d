// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Playback of a file continues even if the file is renamed or removed.
@Suite struct MovedFileTests {
  private static let fade = 400

  /// Returns stereo samples of `frames` frames.
  private static func stereoSamples(_ frames: Int) -> [Int32] {
    (0..<frames * 2).map { Int32($0 * 7 % 20_011) - 10_000 }
  }

  private static func hasFailed(_ events: [EngineEvent]) -> Bool {
    events.contains { if case .failed = $0 { true } else { false } }
  }

  /// The short file has been decoded to its end by the time of the seek.
  @Test(arguments: [40_000, 400_000])
  func `a seek in a renamed or removed file plays on there`(frames: Int) throws {
    try Self.seekInMovedFile(frames: frames) { $0 }
  }

  /// Renames or removes a file, which `encode` creates from a WAV file, while it plays, and seeks in it.
  fileprivate static func seekInMovedFile(frames: Int, encode: (FilePath) throws -> FilePath) throws {
    for isRemoved in [false, true] {
      let directory = try TemporaryDirectory()
      let samples = stereoSamples(frames)
      let path = try encode(
        directory.write(WaveFile.bytes(samples, rate: 44_100, channels: 2, depth: .bits16), to: "a.wav"))
      let source = PlaybackSource(id: .init(rawValue: 1), path: path)
      let outputs = CollectingOutputs(granted: 5000)
      let engine = try PlaybackEngine(
        decoders: { path throws(DecodingError) in try SndfileDecoder(path: path) },
        resamplers: { _, _, _ in nil },
        outputs: { format throws(OutputError) in try outputs.open(format) })
      let log = Watched<[EngineEvent]>([])
      engine.onEvent { [weak engine] event, _ in
        log.change { $0.append(event) }
        if case .needsNext(let id) = event { engine?.setNext(after: id, nil) }
      }
      engine.play(source)
      #expect(outputs.awaitBlockedWrite())
      if isRemoved { try path.delete() } else { try path.rename(to: directory.file("b")) }
      let target = AudioFormat.cd.duration(ofFrames: Int64(frames - 10_000))
      engine.seek(.to(target))
      #expect(log.wait { $0.contains(.position(source.id, target)) })
      outputs.grant()
      #expect(log.wait { $0.contains(.finished) })
      #expect(engine.shutDown(within: 20_000))
      let expected = Array(samples.suffix(2 * (10_000 - fade)))
      let output = Array(outputs.samples.suffix(expected.count))
      #expect(PCM.firstDifference(output, expected, channels: 2) == nil)
      #expect(!hasFailed(log.value))
    }
  }

  @Test func `a seek does not open the file again`() throws {
    let rig = try EngineRig(
      [DecodingScript(tag: 1, frameCount: 40_000)], outputs: CollectingOutputs(granted: 5000))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    for frame: Int64 in [30_000, 0, 20_000] {
      let target = AudioFormat.cd.duration(ofFrames: frame)
      rig.engine.seek(.to(target))
      #expect(rig.await(.position(EngineRig.source(1).id, target)))
    }
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(rig.decoders.opened.count == 1)
  }

  @Test func `a missing file is still seekable while the next one is decoded`() throws {
    let (one, two) = (
      DecodingScript(tag: 1, frameCount: 8820), DecodingScript(tag: 2, frameCount: 5000)
    )
    let rig = try EngineRig([one, two], outputs: CollectingOutputs(granted: 7938))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(rig.await(.needsNext(after: EngineRig.source(2).id)))
    rig.decoders.setPresent("1", false)
    let target = AudioFormat.cd.duration(ofFrames: 4410)
    rig.engine.seek(.to(target))
    #expect(rig.await(.position(EngineRig.source(1).id, target)))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let expected = one.samples((4410 + Self.fade)..<8820) + two.samples
    let output = Array(rig.outputs.samples.suffix(expected.count))
    #expect(PCM.firstDifference(output, expected, channels: 2) == nil)
    #expect(!Self.hasFailed(rig.events))
  }
}

extension ProgramLane {
  /// The tests of ``MovedFileTests`` with a FLAC file.
  @Suite struct MovedFLACFileTests {
    @Test(arguments: [40_000, 400_000])
    func `a seek in a renamed or removed file plays on there`(frames: Int) throws {
      try MovedFileTests.seekInMovedFile(frames: frames) { wave in
        let encoded = wave.removingLastComponent().appending("a.flac")
        try Tool.run("flac", ["-s", "-o", encoded.string, wave.string])
        return encoded
      }
    }
  }
}
