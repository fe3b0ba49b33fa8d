// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import Resampling
import TestSupport
import Testing

/// Sources of which only some frames are played.
@Suite struct SourceFramesTests {
  private let second = 44_100

  private func source(_ number: Int, _ frames: SourceFrames?) -> PlaybackSource {
    let source = EngineRig.source(number)
    return PlaybackSource(id: source.id, path: source.path, frames: frames)
  }

  /// Plays these scripts one after the other, each with its frames, and returns the samples of the output.
  private func played(
    _ scripts: [DecodingScript], _ frames: [SourceFrames?], _ transition: Transition = .gapless,
    settings: EngineSettings = EngineSettings()
  ) throws -> [Int32] {
    let rig = try EngineRig(scripts, follows: false, settings: settings, resamplers: SoxrResampler.make)
    if case .crossfade(let length) = transition { rig.engine.setMaximumCrossfade(length) }
    rig.engine.onEvent { [log = rig.log, weak engine = rig.engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.setNext(after: id, next <= scripts.count ? source(next, frames[next - 1]) : nil, transition)
    }
    rig.engine.play(source(1, frames[0]))
    #expect(rig.await(.finished))
    return rig.outputs.samples
  }

  @Test func `the frames that are played follow each other without a gap`() throws {
    let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 20_000 + $0) }
    let ranges: [(Int64, Int64?)] = [(1_001, 15_003), (0, 19_999), (7, nil)]
    let frames = zip(scripts, ranges).map { script, range in
      SourceFrames(
        sampleRate: second, frameCount: Int64(script.frameCount), start: range.0, end: range.1)
    }
    let expected =
      scripts[0].samples(1_001..<15_003) + scripts[1].samples(0..<19_999) + scripts[2].samples(7..<20_003)
    #expect(PCM.firstDifference(try played(scripts, frames), expected, channels: 2) == nil)
  }

  @Test func `a crossfade ends where the frames end`() throws {
    var settings = EngineSettings()
    settings.depth = .bits24
    // What is left out would be loud.
    var scripts = (1...2).map { DecodingScript(tag: $0, frameCount: 40_000, format: .of(8_000, channels: 2, .bits24)) }
    scripts[0].wave = { frame, _ in frame < 24_000 ? 0.25 : 0.9 }
    scripts[1].wave = { frame, _ in frame < 8_000 ? 0.9 : 0.25 }
    let frames = [
      SourceFrames(sampleRate: 8_000, frameCount: 40_000, start: 0, end: 24_000),
      SourceFrames(sampleRate: 8_000, frameCount: 40_000, start: 8_000, end: nil),
    ]
    let output = try played(scripts, frames, .crossfade(.seconds(1)), settings: settings)
    #expect(output.count == 2 * (24_000 + 32_000 - 8_000))
    let loudest = try #require(output.map { abs(Float($0) / 8_388_608) }.max())
    #expect(loudest < 0.5, "\(loudest)")
  }

  @Test func `the frames are resampled like a file that has no others`() throws {
    var settings = EngineSettings()
    (settings.formatChange, settings.sampleRate, settings.depth) = (.resample, 48_000, .bits24)
    var script = DecodingScript(tag: 1, frameCount: 30_000, format: .of(second, channels: 2, .bits24))
    script.wave = { frame, channel in Float((frame * 7 + channel * 17) % 199 - 99) / 256 }
    var short = DecodingScript(tag: 1, frameCount: 20_000, format: script.format)
    short.wave = { frame, channel in Float(((frame + 5_000) * 7 + channel * 17) % 199 - 99) / 256 }
    let all: [SourceFrames?] = [nil, nil]
    let cut = SourceFrames(sampleRate: second, frameCount: 30_000, start: 5_000, end: 25_000)
    let output = try played([script, script], [cut, cut], settings: settings)
    let expected = try played([short, short], all, settings: settings)
    #expect(output.count == expected.count)
    // Both are dithered.
    #expect(PCM.firstDifference(output, expected, channels: 2, tolerance: 4) == nil)
  }

  @Test(arguments: [
    SourceFrames(sampleRate: 48_000, frameCount: 20_000, start: 100, end: 200),
    SourceFrames(sampleRate: 44_100, frameCount: 20_000, start: 90_000, end: nil),
    SourceFrames(sampleRate: 44_100, frameCount: 20_000, start: 0, end: 0),
    SourceFrames(sampleRate: 44_100, frameCount: 20_000, start: -5, end: -1),
    SourceFrames(sampleRate: 44_100, frameCount: 20_000, start: .min, end: .max),
    SourceFrames(sampleRate: 0, frameCount: .min, start: .max, end: .min),
    SourceFrames(sampleRate: 44_100, frameCount: .min, start: 100, end: 200),
    // The file has been replaced by a longer one.
    SourceFrames(sampleRate: 44_100, frameCount: 64_101, start: 100, end: 15_000),
  ])
  func `frames that the file does not have are ignored`(frames: SourceFrames) throws {
    let script = DecodingScript(tag: 1, frameCount: 20_000)
    #expect(PCM.firstDifference(try played([script], [frames]), script.samples(0..<20_000), channels: 2) == nil)
  }

  @Test(arguments: [(2, 3), (4, 5)])
  func `a position outside of the frames is played from`(start: Int, end: Int) throws {
    let script = DecodingScript(tag: 1, frameCount: 6 * second)
    let frames = SourceFrames(
      sampleRate: second, frameCount: Int64(6 * second), start: Int64(start * second), end: Int64(end * second))
    for (position, last) in [(1_000, end * second), (5_500, 6 * second), (1_000 * end, end * second)] {
      let rig = try EngineRig([script])
      if position == 1_000 {
        rig.engine.play(source(1, frames), isPaused: true)
        rig.engine.seek(.to(.seconds(1)))
        rig.engine.resume()
      } else {
        rig.engine.play(source(1, frames), from: .milliseconds(position))
      }
      #expect(rig.await(.finished))
      // Where the frames end, nothing is left.
      let expected = script.samples(position * second / 1_000..<last)
      // It is faded in over 8 ms.
      #expect(rig.outputs.samples.count == expected.count)
      let faded = 2 * 353
      #expect(
        PCM.firstDifference(Array(rig.outputs.samples.dropFirst(faded)), Array(expected.dropFirst(faded)), channels: 2)
          == nil)
    }
  }

  @Test func `what cannot be sought, or states no length, is played as far as possible`() throws {
    var script = DecodingScript(tag: 1, frameCount: 20_000)
    let frames = SourceFrames(sampleRate: second, frameCount: 20_000, start: 5_000, end: 15_000)
    script.statedFrameCount = nil
    #expect(PCM.firstDifference(try played([script], [frames]), script.samples(5_000..<15_000), channels: 2) == nil)
    script.seeks = false
    #expect(PCM.firstDifference(try played([script], [frames]), script.samples(0..<20_000), channels: 2) == nil)
    script.seeks = true
    // Some formats state their length only to within a part of a second.
    script.statedFrameCount = 20_700
    #expect(PCM.firstDifference(try played([script], [frames]), script.samples(5_000..<15_000), channels: 2) == nil)
    script.isSeekable = false
    #expect(PCM.firstDifference(try played([script], [frames]), script.samples(0..<20_000), channels: 2) == nil)
  }

  @Test func `the end is played after all if the frames change while the source plays`() throws {
    let script = DecodingScript(tag: 1, frameCount: 60_000)
    let outputs = CollectingOutputs(device: .init(bufferFrames: 8_820, isPaced: true))
    let rig = try EngineRig([script], outputs: outputs)
    var frames = SourceFrames(sampleRate: second, frameCount: 60_000, start: 0, end: 50_000)
    rig.engine.play(source(1, frames))
    #expect(outputs.awaitFrames(20_000))
    frames.end = nil
    rig.engine.setFrames(frames, of: EngineRig.source(1).id)
    #expect(rig.await(.finished))
    let (played, expected) = (outputs.samples, script.samples(0..<60_000))
    // What this device has already taken fades out over 8 ms, and the rest, which begins there, fades in.
    let repeatedFrames = played.count / 2 - 60_000
    #expect((0...second / 20).contains(repeatedFrames), "\(repeatedFrames)")
    let join = try #require(zip(played, expected).enumerated().first { $1.0 != $1.1 }).offset / 2
    #expect((19_000..<50_000).contains(join))
    let rest = 2 * (60_000 - join - 2 * 353)
    #expect(PCM.firstDifference(Array(played.suffix(rest)), Array(expected.suffix(rest)), channels: 2) == nil)
  }

  @Test func `a position one frame beyond the end, which rounding gives, is the end`() throws {
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 20_000)])
    let frames = SourceFrames(sampleRate: second, frameCount: 20_000, start: 0, end: 15_000)
    rig.engine.play(source(1, frames), from: AudioFormat.cd.duration(ofFrames: 15_001))
    #expect(rig.await(.finished))
    #expect(rig.outputs.samples.isEmpty)
  }

  @Test func `a file that has lost the frames is empty`() throws {
    var script = DecodingScript(tag: 1, frameCount: 4_000)
    script.statedFrameCount = 20_000
    let rig = try EngineRig([script])
    rig.engine.play(source(1, SourceFrames(sampleRate: second, frameCount: 20_000, start: 5_000, end: nil)))
    #expect(rig.await { $0.contains { if case .failed(_, let error) = $0 { error.kind == .empty } else { false } } })
  }
}
