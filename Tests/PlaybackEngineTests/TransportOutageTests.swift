// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// The transport's reaction to a device that is lost, stalls, or opens in another format.
@Suite struct TransportOutageTests {
  private typealias Effects = [Transport.Effect]

  private let first = EngineRig.source(1)
  private let second = EngineRig.source(2)
  private let lost = OutputError(kind: .lost, description: "went")
  private let opened = OpenedOutput(
    name: "device", format: DeviceFormat(for: .cd), bufferFrames: 4410, warning: nil)

  private func origin(_ source: PlaybackSource, _ frame: Int64 = 0) -> FrameOrigin {
    FrameOrigin(source: source.id, format: .cd, frame: frame, frameCount: 441_000, isProcessed: false)
  }

  private func report(
    _ kind: RenderReport.Kind, _ source: PlaybackSource, frame: Int64 = 0, generation: UInt64 = 1
  ) -> Transport.Input {
    .rendering(RenderReport(kind: kind, generation: generation, origin: origin(source, frame), due: 0))
  }

  /// Returns a transport that plays the first source to a device, and has the second as the next one.
  private func playing(pausesOnLoss: Bool = false) -> Transport {
    var settings = EngineSettings()
    settings.pausesOnLoss = pausesOnLoss
    var transport = Transport(settings: settings)
    _ = transport.handle(.play(first, at: .zero))
    _ = transport.handle(.setNext(after: first.id, second, .gapless, sequenceNumber: 1))
    _ = transport.handle(.outputOpened(opened))
    _ = transport.handle(report(.started(stream: .cd), first))
    return transport
  }

  private func audible(_ seconds: Int, generation: UInt64 = 1) -> AudiblePosition {
    AudiblePosition(generation: generation, source: first.id, position: .seconds(seconds))
  }

  private func restart(
    _ source: PlaybackSource, _ seconds: Int, _ generation: UInt64, _ target: RenderTarget = .run
  ) -> Effects {
    [
      .drop(olderThan: generation), .decode(.start(source, at: .seconds(seconds), generation: generation)),
      .render(target),
    ]
  }

  @Test func `a lost device is reported at once, and reopened at the audible position`() {
    var transport = playing()
    #expect(
      transport.handle(.outputFailed(lost, generation: 1), audible: audible(3)) == [
        .drop(olderThan: 2), .decode(.stop), .report(.position(first.id, .seconds(3))),
        .report(.outputLost(lost)), .wait(.reopen, .milliseconds(200)),
      ])
    #expect(transport.handle(.timeOut(.reopen)) == restart(first, 3, 3))
    #expect(transport.handle(.timeOut(.reopen)).isEmpty)
    let event = OpenedOutput(
      name: "device", format: DeviceFormat(for: .cd), bufferFrames: 4410, warning: nil
    ).event
    #expect(transport.handle(.outputOpened(opened)) == [.report(event)])
  }

  @Test func `every attempt waits longer, up to five seconds, and nothing is reported again`() {
    var transport = playing()
    let cannotOpen = OutputError(kind: .cannotOpen, description: "is not there")
    var delays: [Duration] = []
    var generation: UInt64 = 1
    for round in 0..<8 {
      let effects = transport.handle(.outputFailed(cannotOpen, generation: generation), audible: audible(3))
      for effect in effects { if case .wait(.reopen, let delay) = effect { delays.append(delay) } }
      #expect(effects.contains(.report(.outputLost(cannotOpen))) == (round == 0))
      generation += 2
      #expect(transport.handle(.timeOut(.reopen)) == restart(first, 3, generation))
    }
    #expect(delays == [200, 400, 800, 1600, 3200, 5000, 5000, 5000].map { .milliseconds($0) })
  }

  @Test func `a device that opens and is lost at once is reported again, with a longer delay`() {
    var transport = playing()
    _ = transport.handle(.outputFailed(lost, generation: 1))
    _ = transport.handle(.timeOut(.reopen))
    _ = transport.handle(.outputOpened(opened))
    let effects = transport.handle(.outputFailed(lost, generation: 3))
    #expect(effects.contains(.report(.outputLost(lost))))
    #expect(effects.last == .wait(.reopen, .milliseconds(400)))
  }

  @Test(arguments: [(3, 400), (4, 200)])
  func `after a second of playback, the back-off starts again`(second: Int, delay: Int) {
    var transport = playing()
    _ = transport.handle(.outputFailed(lost, generation: 1), audible: audible(3))
    _ = transport.handle(.timeOut(.reopen))
    _ = transport.handle(.outputOpened(opened))
    _ = transport.handle(report(.started(stream: .cd), first, frame: 3 * 44_100, generation: 3))
    _ = transport.handle(.tick, audible: audible(second, generation: 3))
    #expect(
      transport.handle(.outputFailed(lost, generation: 3)).last
        == .wait(.reopen, .milliseconds(delay)))
  }

  @Test func `with pausing on loss, the transport pauses, and opens nothing until playback resumes`() {
    var transport = playing(pausesOnLoss: true)
    #expect(
      transport.handle(.outputFailed(lost, generation: 1), audible: audible(3)) == [
        .drop(olderThan: 2), .decode(.stop), .report(.position(first.id, .seconds(3))),
        .report(.outputLost(lost)), .render(.hold), .report(.changed(.paused)),
      ])
    #expect(transport.handle(.timeOut(.reopen)).isEmpty)
    #expect(transport.handle(.resume) == restart(first, 3, 3) + [.report(.changed(.playing))])
  }

  @Test func `a device lost in a pause is reopened when playback resumes`() {
    var transport = playing()
    _ = transport.handle(.pause)
    _ = transport.handle(report(.held, first, frame: 88_200))
    #expect(
      transport.handle(.outputFailed(lost, generation: 1)) == [
        .drop(olderThan: 2), .decode(.stop), .report(.position(first.id, .seconds(2))),
        .report(.outputLost(lost)),
      ])
    #expect(transport.handle(.resume) == restart(first, 2, 3) + [.report(.changed(.playing))])
  }

  @Test func `during an outage, each command has its usual effect`() {
    var outage = playing()
    _ = outage.handle(.outputFailed(lost, generation: 1), audible: audible(3))
    var transport = outage
    #expect(
      transport.handle(.seek(.to(.seconds(7))))
        == restart(first, 7, 3) + [.report(.position(first.id, .seconds(7)))])
    #expect(transport.handle(.timeOut(.reopen)).isEmpty)
    transport = outage
    #expect(transport.handle(.play(second, at: .zero)) == restart(second, 0, 3))
    transport = outage
    #expect(transport.handle(.stop).last == .report(.changed(.stopped)))
    #expect(transport.handle(.timeOut(.reopen)).isEmpty)
    transport = outage
    #expect(transport.handle(.pause).prefix(2) == [.render(.hold), .report(.changed(.paused))])
    #expect(transport.handle(.timeOut(.reopen)).isEmpty)
    #expect(transport.handle(.resume).starts(with: restart(first, 3, 3)))
  }

  @Test(arguments: [OutputError.Kind.incomplete, .unsupportedFormat, .unknownDriver])
  func `errors that are final end playback`(kind: OutputError.Kind) {
    var transport = playing()
    let error = OutputError(kind: kind, description: "")
    #expect(transport.handle(.outputFailed(error, generation: 1)).last == .report(.outputFailed(error)))
    #expect(transport.handle(.resume).isEmpty)
  }

  @Test func `a file, and a device that never opened, end playback`() {
    for bufferFrames in [nil, 0] {
      var transport = Transport()
      _ = transport.handle(.play(first, at: .zero))
      if let bufferFrames {
        var file = opened
        file.bufferFrames = bufferFrames
        _ = transport.handle(.outputOpened(file))
      }
      #expect(transport.handle(.outputFailed(lost, generation: 1)).last == .report(.outputFailed(lost)))
    }
  }

  @Test(arguments: [(nil, 3), (768_000, 2)] as [(Int?, Int)])
  func `with a fixed rate, a device lost twice before anything is audible ends playback`(
    rate: Int?, attempts: Int
  ) {
    var settings = EngineSettings()
    settings.sampleRate = rate
    var transport = Transport(settings: settings)
    _ = transport.handle(.play(first, at: .zero))
    var effects: Effects = []
    for _ in 0..<attempts {
      _ = transport.handle(.outputOpened(opened))
      effects = transport.handle(.outputFailed(lost, generation: transport.presentGeneration))
      if effects.contains(where: { if case .wait = $0 { true } else { false } }) {
        _ = transport.handle(.timeOut(.reopen))
      }
    }
    let failure = effects.lazy.compactMap { effect -> OutputError? in
      if case .report(.outputFailed(let error)) = effect { error } else { nil }
    }.first
    #expect((failure?.kind == .unsupportedFormat) == (rate != nil))
    #expect(failure?.description.contains("768000 Hz") == (rate == nil ? nil : true))
  }

  @Test func `a stall and its end are each reported once, whatever ends it`() {
    var transport = playing()
    #expect(transport.handle(.outputStalled(false)).isEmpty)
    #expect(transport.handle(.outputStalled(true)) == [.report(.outputStalled(true))])
    #expect(transport.handle(.outputStalled(true)).isEmpty)
    var ended = transport
    #expect(ended.handle(.outputStalled(false)) == [.report(.outputStalled(false))])
    #expect(ended.handle(.outputStalled(false)).isEmpty)
    let effects = transport.handle(.outputAbandoned, audible: audible(3))
    #expect(effects.contains(.report(.outputStalled(false))))
    #expect(effects.contains { if case .report(.outputLost) = $0 { true } else { false } })
    #expect(transport.handle(.timeOut(.reopen)) == restart(first, 3, 3))
  }

  @Test func `if the device opens in another format, playback continues at the first frame to convert`() {
    var transport = playing()
    #expect(
      transport.handle(.outputFormatDiffers(origin(first, 88_200), generation: 1)) == restart(first, 2, 2))
    #expect(transport.handle(.outputFormatDiffers(origin(first), generation: 1)).isEmpty)
    // At a join, the next track is the one that continues.
    transport = playing()
    #expect(transport.handle(.outputFormatDiffers(origin(second), generation: 1)) == restart(second, 0, 2))
    transport = playing()
    _ = transport.handle(.pause)
    #expect(transport.handle(.outputFormatDiffers(origin(first), generation: 1)) == restart(first, 0, 2, .hold))
    transport = playing()
    #expect(transport.handle(.outputFormatDiffers(origin(EngineRig.source(3)), generation: 1)).isEmpty)
    _ = transport.handle(.stop)
    #expect(transport.handle(.outputFormatDiffers(origin(first), generation: 2)).isEmpty)
  }

  @Test func `a source that delivers no audio is reported after a while, and again when it does`() {
    var transport = playing()
    func tick(_ milliseconds: Int) -> Effects {
      let position = Duration.milliseconds(milliseconds)
      return transport.handle(
        .tick, audible: AudiblePosition(generation: 1, source: first.id, position: position))
    }
    _ = tick(400)
    #expect(tick(400).isEmpty && tick(400).isEmpty)
    #expect(tick(400) == [.report(.inputStalled(true))])
    #expect(tick(400).isEmpty)
    #expect(tick(450) == [.report(.inputStalled(false))])
    // If a device accepts audio in large blocks, neither it nor the file has stalled.
    for _ in 0..<5 {
      #expect(transport.handle(.outputBlocks).isEmpty)
      #expect(!tick(450).contains(.report(.inputStalled(true))))
    }
    #expect(transport.handle(.outputStalled(false)).isEmpty)
    // A stall of the device is not one of the file.
    _ = transport.handle(.outputStalled(true))
    for _ in 0..<5 { #expect(!tick(450).contains(.report(.inputStalled(true)))) }
  }

  @Test func `a source that is not open after a while is reported, and another has its own time`() {
    var transport = Transport()
    _ = transport.handle(.play(first, at: .zero))
    for _ in 0..<5 { #expect(transport.handle(.tick).isEmpty) }
    #expect(transport.handle(.tick) == [.report(.inputStalled(true))])
    _ = transport.handle(.play(second, at: .zero))
    #expect(transport.handle(.tick).isEmpty)
    _ = transport.handle(.decoding(second.id, generation: 2))
    for _ in 0..<5 { #expect(transport.handle(.tick).isEmpty) }
  }

  @Test func `a device is closed when a pause has lasted, a file never`() {
    var transport = playing()
    #expect(transport.handle(.pause).last == .wait(.closeInPause, .seconds(3)))
    #expect(transport.handle(.timeOut(.closeInPause)) == [.render(.close)])
    #expect(transport.handle(.resume) == [.render(.run), .report(.changed(.playing))])
    #expect(transport.handle(.timeOut(.closeInPause)).isEmpty)
    var file = opened
    file.bufferFrames = 0
    _ = transport.handle(.outputOpened(file))
    #expect(
      transport.handle(.pause) == [
        .render(.hold), .report(.position(first.id, .zero)), .report(.changed(.paused)),
      ])
    var persistent = opened
    persistent.staysOpenInPause = true
    #expect(!transport.handle(.outputOpened(persistent)).contains(.wait(.closeInPause, .seconds(3))))
    // A device that opens only after the pause is closed, too.
    #expect(transport.handle(.outputOpened(opened)).last == .wait(.closeInPause, .seconds(3)))
  }

  @Test func `a new gain restarts the current source, and no other`() {
    var transport = playing()
    let gain = SourceGain(factor: 0.5, isLimited: true)
    var louder = first
    louder.gain = gain
    #expect(transport.handle(.setGain(second.id, gain)).isEmpty)
    #expect(transport.handle(.setGain(first.id, .unity)).isEmpty)
    #expect(transport.handle(.setGain(first.id, gain), audible: audible(3)) == restart(louder, 3, 2))
    #expect(transport.handle(.setGain(first.id, gain)).isEmpty)
    _ = transport.handle(.stop)
    #expect(transport.handle(.setGain(first.id, .unity)).isEmpty)
  }
}
