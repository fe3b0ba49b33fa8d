// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlaybackEngine
import Resampling
import TestSupport
import Testing

/// The output while sources crossfade.
@Suite struct CrossfadeTests {
  private static let full: Float = 8_388_608
  private let ids = (1...9).map { EngineRig.source($0).id }

  private func script(_ number: Int, _ frames: Int, rate: Int = 8000) -> DecodingScript {
    var script = DecodingScript(
      tag: number, frameCount: frames, format: .of(rate, channels: 2, .bits24))
    script.wave = { frame, channel in Float((frame * 7 + number * 131 + channel * 17) % 199 - 99) / 256 }
    return script
  }

  private func samples(_ script: DecodingScript) -> [Float] {
    (0..<script.frameCount).flatMap { frame in (0..<2).map { script.wave?(frame, $0) ?? 0 } }
  }

  /// Returns `left` crossfaded into `right` over `frames` frames.
  private func crossfaded(_ left: [Float], _ right: [Float], _ frames: Int) -> [Float] {
    let curve = CrossfadeCurve(frames: frames)
    let middle = (0..<2 * frames).map { index in
      let gains = curve.gains(at: index / 2)
      return left[left.count - 2 * frames + index] * gains.outgoing + right[index] * gains.incoming
    }
    return left.dropLast(2 * frames) + middle + right.dropFirst(2 * frames)
  }

  private func settings(_ change: EngineSettings.FormatChange = .reopen) -> EngineSettings {
    var settings = EngineSettings()
    settings.depth = .bits24
    settings.formatChange = change
    return settings
  }

  /// Creates an engine that crossfades between all sources, over `milliseconds`.
  private func rig(
    _ scripts: [DecodingScript], _ milliseconds: Int, change: EngineSettings.FormatChange = .reopen,
    outputs: CollectingOutputs = CollectingOutputs()
  ) throws -> EngineRig {
    let rig = try EngineRig(
      scripts, outputs: outputs, follows: false, settings: settings(change), resamplers: SoxrResampler.make)
    // The end of each source waits until its next track is set.
    rig.engine.setMaximumCrossfade(.milliseconds(milliseconds))
    rig.engine.onEvent { [log = rig.log, weak engine = rig.engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.setNext(
        after: id, next <= scripts.count ? EngineRig.source(next) : nil,
        .crossfade(.milliseconds(milliseconds)))
    }
    return rig
  }

  /// Plays all sources of `rig`, and expects this output in a single opening.
  private func expectOutput(
    _ rig: EngineRig, _ expected: [Float], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished), sourceLocation: sourceLocation)
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    // Dither is one step in either direction.
    #expect(
      PCM.firstDifference(output, expected, channels: 2, tolerance: 4e-7) == nil,
      sourceLocation: sourceLocation)
    #expect(rig.outputs.openings.count == 1, sourceLocation: sourceLocation)
  }

  @Test(arguments: [1, 50, 250, 1000])
  func `the end fades out while the beginning fades in, with equal power`(milliseconds: Int) throws {
    let (one, two) = (script(1, 40_000), script(2, 30_000))
    try expectOutput(
      rig([one, two], milliseconds), crossfaded(samples(one), samples(two), 8 * milliseconds))
  }

  @Test func `crossfades follow each other`() throws {
    let scripts = [script(1, 40_000), script(2, 9000), script(3, 20_000), script(4, 10_000)]
    let expected = scripts.dropFirst().reduce(samples(scripts[0])) { crossfaded($0, samples($1), 2000) }
    try expectOutput(rig(scripts, 250), expected)
  }

  @Test func `a source that is shorter than the crossfade fades in over its first half`() throws {
    let (one, two) = (script(1, 40_000), script(2, 3000))
    try expectOutput(rig([one, two], 500), crossfaded(samples(one), samples(two), 1500))
  }

  @Test func `crossfades do not overlap in a short source`() throws {
    let scripts = [script(1, 40_000), script(2, 6000), script(3, 20_000)]
    let first = crossfaded(samples(scripts[0]), samples(scripts[1]), 3000)
    try expectOutput(rig(scripts, 625), crossfaded(first, samples(scripts[2]), 3000))
  }

  @Test func `a source that is shorter than the crossfade fades out as a whole`() throws {
    let gate = Gate()
    var one = script(1, 1000)
    one.openingGate = gate
    let two = script(2, 20_000)
    let rig = try EngineRig([one, two], follows: false, settings: settings())
    rig.engine.play(EngineRig.source(1))
    rig.engine.setNext(after: ids[0], EngineRig.source(2), .crossfade(.milliseconds(500)))
    // Nothing is played until all commands have reached the decode thread.
    #expect(gate.awaitArrival())
    rig.engine.pause()
    #expect(rig.await(.changed(.paused)))
    rig.engine.resume()
    gate.open()
    #expect(rig.await(.needsNext(after: ids[1])))
    rig.engine.setNext(after: ids[1], nil)
    #expect(rig.await(.finished))
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    #expect(
      PCM.firstDifference(output, crossfaded(samples(one), samples(two), 1000), channels: 2, tolerance: 4e-7) == nil
    )
  }

  @Test(arguments: [nil, 0, 10_000, 48_000, 100_000] as [Int64?])
  func `the last frames fade out, whatever length the file states`(stated: Int64?) throws {
    var one = script(1, 40_000)
    one.statedFrameCount = stated
    let two = script(2, 20_000)
    // A file may be up to two seconds shorter than it states; if it is shorter still, the fade is as long as the rest.
    let fadeFrames = stated == 100_000 ? 0 : 2000
    try expectOutput(rig([one, two], 250), crossfaded(samples(one), samples(two), fadeFrames))
  }

  @Test func `without a next track, or if it does not open, the end is unchanged`() throws {
    let one = script(1, 40_000)
    try expectOutput(rig([one], 500), samples(one))
    var bad = script(2, 1)
    bad.opens = false
    try expectOutput(rig([one, bad], 500), samples(one))
  }

  @Test func `a next track that is set late joins without a fade, with every frame once`() throws {
    let (one, two) = (script(1, 9000), script(2, 9000))
    let rig = try EngineRig([one, two], follows: false, settings: settings())
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitFrames(9000))
    rig.engine.setNext(after: ids[0], EngineRig.source(2), .crossfade(.milliseconds(500)))
    #expect(rig.await(.needsNext(after: ids[1])))
    rig.engine.setNext(after: ids[1], nil)
    #expect(rig.await(.finished))
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    #expect(PCM.firstDifference(output, samples(one) + samples(two), channels: 2) == nil)
  }

  @Test func `with crossfades expected, the end waits for the next track`() throws {
    let scripts = [script(1, 4000), script(2, 4000)]
    let rig = try EngineRig(scripts, follows: false, settings: settings())
    rig.engine.setMaximumCrossfade(.milliseconds(100))
    rig.engine.play(EngineRig.source(1))
    // These are all frames that can be played before the next track is known.
    #expect(rig.outputs.awaitFrames(3200))
    rig.engine.setNext(after: ids[0], EngineRig.source(2), .crossfade(.milliseconds(100)))
    #expect(rig.await(.needsNext(after: ids[1])))
    rig.engine.setNext(after: ids[1], nil)
    #expect(rig.await(.finished))
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    let expected = crossfaded(samples(scripts[0]), samples(scripts[1]), 800)
    #expect(PCM.firstDifference(output, expected, channels: 2, tolerance: 4e-7) == nil)
  }

  @Test func `the next track can change while the end is held back`() throws {
    let (one, two, three) = (script(1, 9000), script(2, 9000), script(3, 9000))
    for transition in [Transition.gapless, .crossfade(.milliseconds(250))] {
      let (opening, end) = (Gate(), Gate())
      var gated = one
      gated.openingGate = opening
      gated.gate = end
      gated.gatedFrame = 8500
      let rig = try EngineRig([gated, two, three], follows: false, settings: settings())
      rig.engine.play(EngineRig.source(1))
      rig.engine.setNext(after: ids[0], EngineRig.source(2), .crossfade(.milliseconds(500)))
      rig.engine.pause()
      #expect(rig.await(.changed(.paused)))
      opening.open()
      #expect(end.awaitArrival())
      rig.engine.setNext(after: ids[0], EngineRig.source(3), transition)
      rig.engine.resume()
      #expect(rig.await(.changed(.playing), count: 2))
      end.open()
      #expect(rig.await(.needsNext(after: ids[2])))
      rig.engine.setNext(after: ids[2], nil)
      #expect(rig.await(.finished))
      let output = rig.outputs.samples.map { Float($0) / Self.full }
      let frames = transition == .gapless ? 0 : 2000
      let difference = PCM.firstDifference(
        output, crossfaded(samples(one), samples(three), frames), channels: 2, tolerance: 4e-7)
      #expect(difference == nil, "\(transition)")
    }
  }

  @Test func `the replacement of a file that does not open fades in`() throws {
    let (one, three) = (script(1, 9000), script(3, 9000))
    var bad = script(2, 1)
    bad.opens = false
    let rig = try EngineRig([one, bad, three], follows: false, settings: settings())
    let fade = Transition.crossfade(.milliseconds(250))
    rig.engine.setMaximumCrossfade(.milliseconds(250))
    rig.engine.play(EngineRig.source(1))
    rig.engine.setNext(after: ids[0], EngineRig.source(2), fade)
    #expect(rig.await(.needsNext(after: ids[1])))
    rig.engine.setNext(after: ids[0], EngineRig.source(3), fade)
    #expect(rig.await(.needsNext(after: ids[2])))
    rig.engine.setNext(after: ids[2], nil)
    #expect(rig.await(.finished))
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    #expect(
      PCM.firstDifference(output, crossfaded(samples(one), samples(three), 2000), channels: 2, tolerance: 4e-7)
        == nil)
  }

  @Test func `when the output is reopened, nothing fades`() throws {
    let (one, two) = (script(1, 9000), script(2, 9000, rate: 16_000))
    let rig = try rig([one, two], 500)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    let output = rig.outputs.openings.map { $0.samples.map { Float($0) / Self.full } }
    #expect(output == [samples(one), samples(two)])
  }

  @Test func `with converted formats, sources crossfade`() throws {
    let (one, two) = (script(1, 40_000), script(2, 18_000, rate: 16_000))
    let rig = try rig([one, two], 500, change: .resample)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.map(\.frameCount) == [40_000 + 9000 - 4000])
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    #expect(
      PCM.firstDifference(Array(output.prefix(72_000)), Array(samples(one).prefix(72_000)), channels: 2) == nil
    )
  }

  @Test func `the next track is current from the start of its crossfade, and seeks stay in it`() throws {
    let (one, two) = (script(1, 40_000), script(2, 40_000))
    // The output blocks within the crossfade, which begins at frame 32,000.
    let rig = try rig([one, two], 1000, outputs: CollectingOutputs(granted: 33_000))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(rig.await { $0.contains { if case .started(ids[1], _, _, _, _) = $0 { true } else { false } } })
    rig.engine.seek(.to(.seconds(2)))
    #expect(rig.await(.position(ids[1], .seconds(2))))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let output = rig.outputs.samples.suffix(2 * (24_000 - 64)).map { Float($0) / Self.full }
    #expect(PCM.firstDifference(output, Array(samples(two).suffix(2 * (24_000 - 64))), channels: 2) == nil)
  }

  @Test func `a pause within a crossfade loses nothing`() throws {
    let (one, two) = (script(1, 40_000), script(2, 40_000))
    let rig = try rig([one, two], 1000, outputs: CollectingOutputs(granted: 33_000))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(rig.pauseAndWait(fade: 64))
    let pausedFrame = rig.outputs.samples.count / 2
    rig.engine.resume()
    #expect(rig.await(.finished))
    let expected = crossfaded(samples(one), samples(two), 8000)
    let output = rig.outputs.samples.map { Float($0) / Self.full }
    #expect(output.count == expected.count)
    #expect(
      PCM.firstDifference(
        Array(output.prefix(2 * (pausedFrame - 64))), Array(expected.prefix(2 * (pausedFrame - 64))), channels: 2,
        tolerance: 4e-7) == nil)
    #expect(
      PCM.firstDifference(
        Array(output.dropFirst(2 * (pausedFrame + 64))), Array(expected.dropFirst(2 * (pausedFrame + 64))), channels: 2,
        tolerance: 4e-7) == nil)
  }

  /// Plays source 1, and after it source 2 with `first` milliseconds of a crossfade; once `frames` frames have been
  /// heard, source 3 with `second` milliseconds instead. Returns the output.
  private func change(
    _ script: DecodingScript, _ third: DecodingScript, from first: Int, to second: Int, atFrame frames: Int,
    isRewindable: Bool
  ) throws -> (samples: [Float], started: [PlaybackSource.ID]) {
    let next = Watched(2)
    let rig = try EngineRig(
      [script, third, third], outputs: CollectingOutputs(granted: frames), follows: false, isRewindable: isRewindable,
      settings: settings())
    rig.engine.setMaximumCrossfade(.milliseconds(first))
    rig.engine.onEvent { [log = rig.log, weak engine = rig.engine] event, _ in
      if case .needsNext(let id) = event {
        let isFirst = id.rawValue == 1
        engine?.setNext(
          after: id, isFirst ? EngineRig.source(next.value) : nil, .fade(next.value == 2 ? first : second))
      }
      log.change { $0.append(event) }
    }
    rig.engine.play(EngineRig.source(1))
    // Time passes once what fits into the ring is decoded.
    func awaitDecoding() {
      let instant = rig.clock.now
      #expect(rig.clock.run { rig.clock.now > instant })
    }
    if let device = rig.device {
      #expect(rig.clock.run { device.playedFrames >= frames })
    } else {
      #expect(rig.outputs.awaitBlockedWrite())
      awaitDecoding()
    }
    next.change { $0 = 3 }
    rig.engine.setMaximumCrossfade(.milliseconds(second))
    rig.engine.setNext(after: ids[0], EngineRig.source(3), .fade(second))
    if !isRewindable { awaitDecoding() }
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let started = rig.events.compactMap { if case .started(let id, _, _, _, _) = $0 { id } else { nil } }
    return ((rig.device?.samples ?? rig.outputs.samples).map { Float($0) / Self.full }, started)
  }

  @Test(arguments: [(0, 1_000), (1_000, 0), (1_000, 500), (500, 1_000)], [false, true])
  func `a crossfade is switched on or off, or gets longer or shorter, although the next track is decoded`(
    lengths: (from: Int, to: Int), isRewindable: Bool
  ) throws {
    let (one, three) = (script(1, 40_000), script(3, 40_000))
    // A second before the longer crossfade begins.
    let output = try change(
      one, three, from: lengths.from, to: lengths.to, atFrame: 23_900, isRewindable: isRewindable)
    let expected = crossfaded(samples(one), samples(three), 8 * lengths.to)
    // Between these, it fades out and in, and some of it is played twice.
    let (before, after) = (2 * 15_000, expected.count - 2 * 31_900)
    let (begin, end) = (output.samples.prefix(before), output.samples.suffix(after))
    #expect(PCM.firstDifference(Array(begin), Array(expected.prefix(before)), channels: 2) == nil)
    #expect(PCM.firstDifference(Array(end), Array(expected.suffix(after)), channels: 2, tolerance: 4e-7) == nil)
    #expect((0...2 * 8_192).contains(output.samples.count - expected.count))
    #expect(output.started == [ids[0], ids[0], ids[2]])
  }

  @Test(arguments: [false, true])
  func `a crossfade that is switched on after its beginning leaves the join as it is`(isRewindable: Bool) throws {
    let (one, three) = (script(1, 40_000), script(3, 40_000))
    let output = try change(one, three, from: 0, to: 1_500, atFrame: 31_900, isRewindable: isRewindable)
    #expect(PCM.firstDifference(output.samples, samples(one) + samples(three), channels: 2) == nil)
    #expect(output.started == [ids[0], ids[2]])
  }

  @Test func `a crossfade is switched on after some of it was decoded without it`() throws {
    // The ring has room for no more than 327,680 frames; the crossfade begins at frame 300,000.
    let (one, three) = (script(1, 400_000), script(3, 240_000))
    let output = try change(one, three, from: 0, to: 12_500, atFrame: 20_000, isRewindable: false)
    let expected = crossfaded(samples(one), samples(three), 100_000).suffix(2 * 440_000)
    #expect(
      PCM.firstDifference(Array(output.samples.suffix(expected.count)), Array(expected), channels: 2, tolerance: 4e-7)
        == nil)
  }
}

extension Transition {
  /// A crossfade over this number of milliseconds; none for 0.
  fileprivate static func fade(_ milliseconds: Int) -> Transition {
    milliseconds > 0 ? .crossfade(.milliseconds(milliseconds)) : .gapless
  }
}
