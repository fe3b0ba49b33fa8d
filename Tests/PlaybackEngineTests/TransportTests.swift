// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

@Suite struct TransportTests {
  private let first = EngineRig.source(1)
  private let second = EngineRig.source(2)

  private func report(
    _ kind: RenderReport.Kind, _ source: Int, frame: Int64 = 0, stated: Int64? = nil, generation: UInt64 = 1
  ) -> Transport.Input {
    let origin = FrameOrigin(
      source: EngineRig.source(source).id, format: .cd, frame: frame, frameCount: stated, isProcessed: false)
    return .rendering(RenderReport(kind: kind, generation: generation, origin: origin, due: 0))
  }

  private func playing(stated: Int64? = 441_000) -> Transport {
    var transport = Transport()
    _ = transport.handle(.play(first, at: .zero))
    _ = transport.handle(.setNext(after: first.id, second, .gapless, sequenceNumber: 1))
    _ = transport.handle(report(.started(stream: .cd), 1, stated: stated))
    return transport
  }

  @Test func `playing drops older blocks, decodes, and renders`() {
    var transport = Transport()
    #expect(
      transport.handle(.play(first, at: .seconds(-3))) == [
        .drop(olderThan: 1), .decode(.start(first, at: .zero, generation: 1)), .render(.run),
        .report(.changed(.playing)),
      ])
    #expect(
      transport.handle(.play(second, at: .seconds(2))) == [
        .drop(olderThan: 2), .decode(.start(second, at: .seconds(2), generation: 2)), .render(.run),
      ])
  }

  @Test func `playing while paused holds at its position`() {
    var transport = Transport()
    #expect(
      transport.handle(.play(first, at: .seconds(2), isPaused: true)) == [
        .drop(olderThan: 1), .decode(.start(first, at: .seconds(2), generation: 1)), .render(.hold),
        .report(.changed(.paused)), .report(.position(first.id, .seconds(2))),
      ])
  }

  @Test func `a change at the end of a passage that is repeated continues at its beginning`() throws {
    let passage = try #require(SourcePassage(start: .seconds(2), end: .seconds(4)))
    for (written, next) in [(3_990, 3_990), (4_000, 2_000), (4_001, 2_000)] as [(Int64, Int64)] {
      var transport = playing()
      _ = transport.handle(.setPassage(first.id, passage))
      _ = transport.handle(report(.started(stream: .cd), 1, generation: 2))
      var source = first
      source.passage = passage
      let changes: [(inout PlaybackSource) -> Transport.Input] = [
        {
          $0.speed = $0.speed.changed(by: 0.5)
          return .setSpeed($0.id, $0.speed)
        },
        {
          $0.gain = SourceGain(factor: 0.5, isLimited: false)
          return .setGain($0.id, $0.gain)
        },
        { _ in .mustRestart(generation: 4) },
      ]
      for (index, change) in changes.enumerated() {
        let generation = UInt64(index + 2)
        let input = change(&source)
        let audible = AudiblePosition(
          generation: generation, source: first.id, position: .seconds(3), written: .milliseconds(written))
        _ = transport.handle(report(.started(stream: .cd), 1, generation: generation))
        #expect(
          transport.handle(input, audible: audible).contains(
            .decode(.start(source, at: .milliseconds(next), generation: generation + 1))), "\(written), \(index)")
      }
    }
  }

  @Test func `if the end is mixed with a revoked next track, the rest is decoded again`() {
    var transport = playing()
    let audible = AudiblePosition(generation: 1, source: first.id, position: .seconds(3), written: .seconds(4))
    #expect(
      transport.handle(.mustRestart(generation: 1), audible: audible) == [
        .drop(olderThan: 2), .decode(.start(first, at: .seconds(4), generation: 2)), .render(.run),
      ])
    #expect(transport.handle(.mustRestart(generation: 1), audible: audible) == [])
    _ = transport.handle(.stop)
    #expect(transport.handle(.mustRestart(generation: 3)) == [])
  }

  @Test func `a next track that replaces another becomes current`() {
    var transport = playing()
    let third = EngineRig.source(3)
    #expect(
      transport.handle(.setNext(after: first.id, third, .gapless, sequenceNumber: 1)) == [
        .decode(.setNext(after: first.id, third, .gapless, sequenceNumber: 1))
      ])
    #expect(
      transport.handle(report(.started(stream: .cd), 3)).contains(.report(.position(third.id, .zero))))
  }

  @Test func `However often the next track is replaced, the chain and the latest are known, and the rest is bounded`() {
    var following = FollowingSources()
    func add(_ number: Int, after previous: Int) {
      following.add(EngineRig.source(number), after: EngineRig.source(previous).id)
    }
    add(2, after: 1)
    add(3, after: 2)
    for number in 4...1_000 { add(number, after: 3) }
    #expect(following.sources.count == FollowingSources.limit)
    #expect(following.sources.prefix(2).map(\.source) == [EngineRig.source(2), EngineRig.source(3)])
    let taken = [4, 3, 1_000].map { following.take(EngineRig.source($0).id) }
    #expect(taken == [nil, EngineRig.source(3), EngineRig.source(1_000)] && following.sources.isEmpty)
  }

  @Test func `A source that was replaced long ago and starts all the same is reported, and is not the current one`() {
    var transport = playing()
    for number in 3...1_000 {
      _ = transport.handle(
        .setNext(after: first.id, EngineRig.source(number), .gapless, sequenceNumber: UInt64(number)))
    }
    #expect(
      transport.handle(report(.started(stream: .cd), 2, stated: 44_100)) == [
        .report(.started(second.id, format: .cd, stream: .cd, duration: .seconds(1)))
      ])
    #expect(transport.handle(.seek(.to(.seconds(2)))).contains(.report(.position(first.id, .seconds(2)))))
  }

  @Test func `while stopped, only play has an effect`() {
    var transport = Transport()
    for input in [Transport.Input.pause, .resume, .stop, .seek(.to(.seconds(1))), .seek(.by(.seconds(-1)))] {
      #expect(transport.handle(input).isEmpty)
    }
  }

  @Test func `pausing holds and resuming runs, each once`() {
    var transport = playing()
    #expect(transport.handle(.resume).isEmpty)
    let audible = AudiblePosition(generation: 1, source: first.id, position: .milliseconds(300))
    // The position is reported, too, since the state may know only its last whole second.
    #expect(
      transport.handle(.pause, audible: audible) == [
        .render(.hold), .report(.position(first.id, .milliseconds(300))), .report(.changed(.paused)),
      ])
    #expect(transport.handle(.pause).isEmpty)
    #expect(transport.handle(.resume) == [.render(.run), .report(.changed(.playing))])
  }

  @Test func `a position is reported at each new second, and again when playback resumes`() {
    var transport = playing()
    func tick(_ milliseconds: Int) -> [Transport.Effect] {
      let position = Duration.milliseconds(milliseconds)
      return transport.handle(
        .tick, audible: AudiblePosition(generation: 1, source: first.id, position: position))
    }
    func positionReport(_ milliseconds: Int) -> [Transport.Effect] {
      [.report(.position(first.id, .milliseconds(milliseconds)))]
    }
    #expect(tick(400) == positionReport(400))
    #expect(tick(900).isEmpty)
    #expect(tick(1400) == positionReport(1400))
    #expect(tick(1900).isEmpty)
    _ = transport.handle(.pause)
    _ = transport.handle(.resume)
    #expect(tick(1950) == positionReport(1950))
    _ = transport.handle(.outputStalled(true))
    _ = transport.handle(.outputStalled(false))
    #expect(tick(1960) == positionReport(1960))
    #expect(tick(1970).isEmpty)
  }

  @Test func `a seek while paused stays paused`() {
    var transport = playing()
    _ = transport.handle(.pause)
    #expect(
      transport.handle(.seek(.to(.seconds(4)))) == [
        .drop(olderThan: 2), .decode(.start(first, at: .seconds(4), generation: 2)), .render(.hold),
        .report(.position(first.id, .seconds(4))),
      ])
    #expect(transport.handle(.resume).first == .render(.run))
  }

  @Test(
    arguments: [
      (.to(.seconds(4)), .seconds(4)), (.to(.seconds(-4)), .zero), (.to(.seconds(100)), .seconds(10)),
      (.by(.seconds(2)), .seconds(5)), (.by(.seconds(-2)), .seconds(1)), (.by(.seconds(-20)), .zero),
      (.by(.seconds(Int64.max)), .seconds(10)),
    ] as [(SeekTarget, Duration)])
  func `a seek starts from the audible position and stays within the source`(target: SeekTarget, expected: Duration) {
    var transport = playing()
    let audible = AudiblePosition(generation: 1, source: first.id, position: .seconds(3))
    let effects = transport.handle(.seek(target), audible: audible)
    #expect(effects.contains(.decode(.start(first, at: expected, generation: 2))))
    #expect(effects.last == .report(.position(first.id, expected)))
  }

  @Test func `relative seeks add up before anything is audible`() {
    var transport = playing()
    let audible = AudiblePosition(generation: 1, source: first.id, position: .seconds(3))
    _ = transport.handle(.seek(.by(.seconds(1))), audible: audible)
    let effects = transport.handle(.seek(.by(.seconds(1))), audible: audible)
    #expect(effects.last == .report(.position(first.id, .seconds(5))))
  }

  @Test func `seeks of any distance do not overflow`() {
    var transport = playing(stated: nil)
    for _ in 0..<40 { _ = transport.handle(.seek(.by(.seconds(Int64.max)))) }
    for _ in 0..<40 { _ = transport.handle(.seek(.by(.seconds(Int64.min)))) }
    #expect(transport.handle(.seek(.by(.seconds(1)))).last == .report(.position(first.id, .seconds(1))))
  }

  @Test func `the next track becomes current`() {
    var transport = playing()
    #expect(
      transport.handle(report(.started(stream: .cd), 2, stated: 44_100)) == [
        .report(.started(second.id, format: .cd, stream: .cd, duration: .seconds(1))),
        .report(.position(second.id, .zero)), .decode(.checkGrowth(of: first.id)),
      ])
    #expect(
      transport.handle(.seek(.to(.seconds(9)))).contains(
        .decode(.start(second, at: .seconds(1), generation: 2))))
  }

  @Test func `the end of the last source stops everything and is reported`() {
    var transport = playing()
    #expect(
      transport.handle(report(.drained, 1)) == [
        .decode(.checkGrowth(of: first.id)), .drop(olderThan: 2), .decode(.stop), .render(.close),
        .report(.finished),
      ])
    #expect(transport.handle(.pause).isEmpty)
  }

  @Test func `a decoding error is reported, and the next track is requested`() {
    var transport = Transport()
    _ = transport.handle(.play(first, at: .zero))
    let error = DecodingError(path: "1", kind: .malformed, reason: "is none")
    #expect(
      transport.handle(.decodingFailed(first.id, error, generation: 1)) == [
        .report(.failed(first.id, error)), .report(.needsNext(after: first.id)),
      ])
  }

  @Test func `an answer that arrives late, after a seek, is not requested again`() {
    var transport = Transport()
    _ = transport.handle(.play(first, at: .zero))
    #expect(transport.handle(.decoding(first.id, generation: 1)) == [.report(.needsNext(after: first.id))])
    _ = transport.handle(.seek(.to(.seconds(1))))
    _ = transport.handle(.setNext(after: first.id, nil, .gapless, sequenceNumber: 1))
    #expect(transport.handle(.decoding(first.id, generation: 2)).isEmpty)
    _ = transport.handle(.seek(.to(.seconds(2))))
    #expect(transport.handle(.decoding(first.id, generation: 3)) == [.report(.needsNext(after: first.id))])
  }

  @Test func `a late answer counts only for the source that it is about`() {
    var transport = Transport()
    _ = transport.handle(.play(first, at: .zero))
    _ = transport.handle(.play(second, at: .zero))
    _ = transport.handle(.setNext(after: first.id, nil, .gapless, sequenceNumber: 1))
    #expect(transport.handle(.decoding(second.id, generation: 2)) == [.report(.needsNext(after: second.id))])
  }

  @Test func `reports of an older generation are ignored`() {
    var transport = playing()
    _ = transport.handle(.play(second, at: .zero))
    let error = DecodingError(path: "1", kind: .malformed, reason: "is none")
    let lost = OutputError(kind: .lost, description: "")
    for input in [
      report(.started(stream: .cd), 1, stated: 1), report(.held, 1), report(.drained, 1),
      .decoding(first.id, generation: 1), .decodingFailed(first.id, error, generation: 1),
      .outputFailed(lost, generation: 1),
    ] {
      #expect(transport.handle(input).isEmpty)
    }
  }

  @Test func `an output that fails stops everything, and a failure after the stop is reported`() {
    var transport = playing()
    let lost = OutputError(kind: .lost, description: "")
    #expect(
      transport.handle(.outputFailed(lost, generation: 1)) == [
        .drop(olderThan: 2), .decode(.stop), .render(.close), .report(.outputFailed(lost)),
      ])
    var stopped = playing()
    _ = stopped.handle(.stop)
    #expect(stopped.handle(.outputFailed(lost, generation: 1)).last == .report(.outputFailed(lost)))
  }

  @Test(arguments: 0..<40)
  func `any commands and reports in any order leave the generations and the phase consistent`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var transport = Transport()
    var generation: UInt64 = 0
    var phase = EngineEvent.Phase.stopped
    var target = RenderTarget.close
    let lost = OutputError(kind: .lost, description: "")
    let error = DecodingError(path: "1", kind: .malformed, reason: "")
    for _ in 0..<500 {
      let source = Int.random(in: 1...4, using: &random)
      let id = EngineRig.source(source).id
      // After a stop, nothing is played in its generation, and so nothing is reported.
      let minimumAge = phase == .stopped ? 1 : 0
      let old = UInt64(max(0, Int64(generation) - Int64.random(in: Int64(minimumAge)...1, using: &random)))
      let inputs: [Transport.Input] = [
        .play(EngineRig.source(source), at: .seconds(Int.random(in: -1...5, using: &random))), .pause,
        .resume,
        .stop, .reopenOutput, .seek(.by(.seconds(Int.random(in: -9...9, using: &random)))),
        .seek(.to(.seconds(source))),
        .setNext(after: id, EngineRig.source(source % 4 + 1), .gapless, sequenceNumber: 1),
        .setNext(after: id, nil, .gapless, sequenceNumber: 2),
        .decoding(id, generation: old), .decodingFailed(id, error, generation: old),
        report(.started(stream: .cd), source, stated: 441_000, generation: old),
        report(.held, source, frame: 44_100, generation: old),
        report(.drained, source, generation: old), .outputFailed(lost, generation: old),
      ]
      guard let input = inputs.randomElement(using: &random) else { return }
      for effect in transport.handle(input) {
        switch effect {
        case .drop(let newest):
          #expect(newest == generation + 1)
          generation = newest
        case .decode(.start(_, let position, _, let startGeneration)):
          #expect(startGeneration == generation && position >= .zero)
        case .decode, .reopenOutput: break
        case .render(let newTarget):
          target = newTarget
        case .report(.changed(let newPhase)):
          #expect(newPhase != phase)
          phase = newPhase
        case .report(.finished), .report(.outputFailed):
          phase = .stopped
        case .report(.started), .report(.position):
          #expect(phase != .stopped)
        case .report, .wait: break
        }
      }
      let expected: RenderTarget = phase == .playing ? .run : phase == .paused ? .hold : .close
      #expect(target == expected)
    }
  }
}
