// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import PlaybackEngine
import TestSupport
import Testing

/// The engine's output, sample for sample, without further commands.
@Suite struct PlaybackEngineTests {
  private let formats: [AudioFormat] = [.cd, .of(44_100, channels: 2, .bits24)]

  private func script(_ tag: Int, _ frames: Int, _ format: AudioFormat = .cd) -> DecodingScript {
    DecodingScript(tag: tag, frameCount: frames, format: format)
  }

  /// Plays all sources of `rig`, and blocks until playback has finished.
  private func playAll(_ rig: EngineRig) {
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
  }

  @Test(arguments: [
    [1], [2007], [100_000], [1, 1, 1], [30_000, 1, 2007, 8192, 16_384, 8191, 1], [2007, 2007],
  ])
  func `sources of one format join without a frame added or lost`(lengths: [Int]) throws {
    let scripts = lengths.enumerated().map { script($0.offset + 1, $0.element) }
    for isRealTime in [true, false] {
      let rig = try EngineRig(scripts, outputs: CollectingOutputs(isRealTime: isRealTime))
      playAll(rig)
      #expect(rig.outputs.openings.count == 1)
      #expect(
        PCM.firstDifference(rig.outputs.samples, scripts.flatMap(\.samples), channels: 2) == nil)
    }
  }

  @Test(arguments: [
    AudioFormat.of(44_100, channels: 1, .bits16), .of(48_000, channels: 2, .bits24),
    .of(96_000, channels: 6, .bits24), .of(192_000, channels: 8, .bits24), .of(8000, channels: 3, .bits16),
    .of(768_000, channels: 1, .bits16),
  ])
  func `every format passes unchanged`(format: AudioFormat) throws {
    let scripts = [script(1, 20_011, format), script(2, 7, format)]
    let rig = try EngineRig(scripts)
    playAll(rig)
    #expect(rig.outputs.openings.map(\.format) == [DeviceFormat(for: format)])
    #expect(
      PCM.firstDifference(rig.outputs.samples, scripts.flatMap(\.samples), channels: format.channels) == nil)
  }

  @Test func `a decoder that returns a few frames at a time makes no difference`() throws {
    var slow = script(1, 20_000)
    slow.framesPerRead = 7
    let rig = try EngineRig([slow])
    playAll(rig)
    #expect(PCM.firstDifference(rig.outputs.samples, slow.samples, channels: 2) == nil)
  }

  @Test(arguments: [nil, 5, 1_000_000, Int64.max] as [Int64?])
  func `a source ends where its decoder ends, whatever it states`(stated: Int64?) throws {
    var first = script(1, 10_000)
    first.statedFrameCount = stated
    let second = script(2, 10_000)
    let rig = try EngineRig([first, second])
    playAll(rig)
    #expect(PCM.firstDifference(rig.outputs.samples, first.samples + second.samples, channels: 2) == nil)
  }

  @Test func `another rate or number of channels reopens the output, after the earlier audio`() throws {
    let scripts = [
      script(1, 5000), script(2, 6000, .of(48_000, channels: 2, .bits16)),
      script(3, 7000, .of(48_000, channels: 1, .bits16)), script(4, 10, .of(48_000, channels: 1, .bits16)),
    ]
    let rig = try EngineRig(scripts)
    playAll(rig)
    let openings = rig.outputs.openings
    #expect(
      openings.map(\.format) == [scripts[0], scripts[1], scripts[2]].map { DeviceFormat(for: $0.format) })
    #expect(openings.map(\.frameCount) == [5000, 6000, 7010])
    #expect(openings.map(\.isClosed) == [true, true, true])
    #expect(
      PCM.firstDifference(openings.last?.samples ?? [], scripts[2].samples + scripts[3].samples, channels: 1)
        == nil)
    let opened = rig.events.filter { if case .outputOpened = $0 { true } else { false } }
    #expect(opened.count == 3)
  }

  @Test func `an output of greater depth stays open for a source of a smaller one, without loss`() throws {
    let scripts = [script(1, 5000, formats[1]), script(2, 5000)]
    let rig = try EngineRig(scripts)
    playAll(rig)
    #expect(rig.outputs.openings.count == 1)
    let expected = scripts[0].samples + scripts[1].samples.map { $0 << 8 }
    #expect(PCM.firstDifference(rig.outputs.samples, expected, channels: 2) == nil)
  }

  @Test func `an output that opens at a smaller depth stays open`() throws {
    let scripts = [script(1, 5000, formats[1]), script(2, 5000, formats[1])]
    let rig = try EngineRig(scripts, outputs: CollectingOutputs(depthLimit: .bits16))
    playAll(rig)
    #expect(rig.outputs.openings.map(\.frameCount) == [10_000])
  }

  @Test func `events come in the order in which things happen`() throws {
    let rig = try EngineRig([script(1, 50_000), script(2, 50_000)])
    playAll(rig)
    let events = rig.events.filter { if case .position = $0 { false } else { true } }
    let ids = [EngineRig.source(1).id, EngineRig.source(2).id]
    let length = AudioFormat.cd.duration(ofFrames: 50_000)
    let playbackEvents = events.filter { if case .needsNext = $0 { false } else { true } }
    #expect(
      playbackEvents == [
        .changed(.playing),
        .outputOpened(
          name: "collecting", format: DeviceFormat(for: .cd), latency: .zero, warning: nil),
        .started(ids[0], format: .cd, stream: .cd, duration: length),
        .started(ids[1], format: .cd, stream: .cd, duration: length),
        .finished,
      ])
    #expect(
      events.filter { if case .needsNext = $0 { true } else { false } } == ids.map { .needsNext(after: $0) })
  }

  @Test(arguments: 0..<30)
  func `an output is reported as open before the first source that it plays`(round: Int) throws {
    let rig = try EngineRig([script(1, 10), script(2, 10, .of(48_000, channels: 2, .bits16))])
    playAll(rig)
    let kinds = rig.events.compactMap { event in
      switch event {
      case .outputOpened: "opened"
      case .started: "started"
      default: nil
      }
    }
    #expect(kinds == ["opened", "started", "opened", "started"])
  }

  @Test func `a hundred thousand events cost no more each than the first`() throws {
    let engine = try PlaybackEngine(
      decoders: { path throws(DecodingError) in
        throw DecodingError(path: path, kind: .malformed, reason: "is none")
      },
      resamplers: { _, _, _ in nil },
      outputs: { _ throws(OutputError) in throw OutputError(kind: .cannotOpen, description: "") })
    let count = Watched(0)
    engine.onEvent { _, _ in count.change { $0 += 1 } }
    engine.play(EngineRig.source(1))
    for _ in 0..<50_000 {
      engine.pause()
      engine.resume()
    }
    #expect(count.wait { $0 >= 100_000 })
    #expect(engine.shutDown(within: 20_000))
  }

  @Test func `finished is reported after the output was closed`() throws {
    let rig = try EngineRig([script(1, 100)], follows: true)
    let isClosed = Watched<Bool?>(nil)
    rig.engine.onEvent { [weak rig] event, _ in
      guard let rig else { return }
      if case .needsNext(let id) = event { rig.engine.setNext(after: id, nil) }
      if event == .finished { isClosed.change { $0 = rig.outputs.openings.first?.isClosed } }
    }
    rig.engine.play(EngineRig.source(1))
    #expect(isClosed.wait { $0 != nil })
    #expect(isClosed.value == true)
  }

  @Test func `playback starts at the requested position`() throws {
    let one = script(1, 20_000)
    let rig = try EngineRig([one])
    rig.engine.play(EngineRig.source(1), from: AudioFormat.cd.duration(ofFrames: 12_345))
    #expect(rig.await(.finished))
    // After the fade, samples are exact.
    let expected = one.samples(12_345..<20_000)
    #expect(rig.outputs.samples.count == expected.count)
    #expect(
      PCM.firstDifference(
        Array(rig.outputs.samples.dropFirst(2 * 353)), Array(expected.dropFirst(2 * 353)), channels: 2) == nil
    )
    #expect(rig.outputs.samples.prefix(2) == [0, 0])
  }

  @Test func `the position advances as the output accepts audio`() throws {
    let rig = try EngineRig([script(1, 44_100 * 2)], outputs: CollectingOutputs(granted: 44_100))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(rig.pauseAndWait())
    guard case .position(_, let position)? = rig.events.last else {
      Issue.record("no position")
      return
    }
    #expect(position == AudioFormat.cd.duration(ofFrames: Int64(rig.outputs.samples.count / 2)))
  }

  @Test func `a gain multiplies and dithers every sample, from the first`() throws {
    let one = script(1, 20_000)
    let rig = try EngineRig([one])
    rig.engine.setVolume(0.5)
    playAll(rig)
    let expected = one.samples.map { Int32((Float($0) / 2).rounded(.toNearestOrEven)) }
    #expect(PCM.firstDifference(rig.outputs.samples, expected, channels: 2, tolerance: 2) == nil)
    #expect(rig.outputs.samples != expected)
  }

  @Test(arguments: [(Float(2), Float(1)), (-1, 0), (.nan, 0), (.infinity, 1)])
  func `a gain out of range is limited`(gain: Float, applied: Float) throws {
    let one = script(1, 2000)
    let rig = try EngineRig([one])
    rig.engine.setVolume(gain)
    playAll(rig)
    #expect(rig.outputs.samples == (applied == 0 ? one.samples.map { _ in 0 } : one.samples))
  }
}
