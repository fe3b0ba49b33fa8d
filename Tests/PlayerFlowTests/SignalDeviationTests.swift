// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// The deviations that the signal path reports.
@Suite struct SignalDeviationTests {
  private let items = (1...2).map { PlayQueue.Item.ID(rawValue: $0) }

  /// Returns a state in which the first item is played at this bit depth.
  private func playing(_ format: AudioFormat, depth: SampleDepth) -> PlaybackState {
    let device = DeviceFormat(sampleRate: format.sampleRate, channels: format.channels, depth: depth)
    var state = PlaybackState()
    for report in [
      PlaybackReport.changed(.playing),
      .outputOpened(.init(name: "x", format: device, latency: .zero), warning: nil),
      .started(items[0], format: format, stream: format, gain: .off, duration: nil),
    ] { _ = state.reduce(.report(report)) }
    return state
  }

  private static let depths: [(SampleCoding, SampleDepth, [SignalDeviation])] = [
    (.integer(bits: 8), .bits16, []), (.integer(bits: 16), .bits16, []), (.integer(bits: 24), .bits24, []),
    (.integer(bits: 24), .bits32, []), (.integer(bits: 20), .bits16, [.depth(from: 20, to: 16)]),
    (.integer(bits: 24), .bits16, [.depth(from: 24, to: 16)]),
    (.integer(bits: 32), .bits16, [.depth(from: 32, to: 16)]),
    (.integer(bits: 32), .bits24, [.depth(from: 32, to: 24)]),
    (.integer(bits: 32), .bits32, [.depth(from: 32, to: 24)]),
    (.float(bits: 32), .bits16, [.rounded(to: 16)]), (.float(bits: 32), .bits24, [.rounded(to: 24)]),
    (.float(bits: 64), .bits32, [.rounded(to: 24)]),
    (.lossy, .bits16, [.lossy]), (.lossy, .bits32, [.lossy]),
  ]

  @Test(arguments: depths)
  func `only integers of which all bits are output are bit-perfect`(
    coding: SampleCoding, depth: SampleDepth, deviations: [SignalDeviation]
  ) {
    let state = playing(.of(44_100, channels: 2, coding: coding), depth: depth)
    #expect(state.deviations == deviations)
  }

  @Test func `the equaliser is a reason, unless it is bypassed or changes nothing`() {
    var state = playing(.cd, depth: .bits16)
    let boost = NamedEqualiser(
      name: "Desk", profile: EqualiserProfile(filters: [EqualiserFilter(.peak, 100, gain: 3, .q(1))]))
    _ = state.reduce(.setEqualisers(["x": boost, "y": NamedEqualiser(name: "Flat", profile: .tenBands)]))
    #expect(state.deviations == [])
    _ = state.reduce(.nameOutput("x"))
    #expect(state.deviations?.map(\.description) == ["equalised (Desk)"])
    _ = state.reduce(.bypassEqualiser(true))
    #expect(state.deviations == [])
    _ = state.reduce(.bypassEqualiser(false))
    _ = state.reduce(.nameOutput("y"))
    #expect(state.deviations == [])
  }

  @Test func `another speed is a reason`() throws {
    var state = playing(.cd, depth: .bits16)
    _ = state.reduce(.report(.speedChanged(items[1], try #require(PlaybackSpeed(2)))))
    #expect(state.deviations == [])
    _ = state.reduce(.report(.speedChanged(items[0], try #require(PlaybackSpeed(1.25)))))
    #expect(state.deviations?.map(\.description) == ["speed 1.25x"])
  }

  @Test func `crossfeed is a reason, unless it is bypassed or what plays is not stereo`() {
    var state = playing(.cd, depth: .bits16)
    _ = state.reduce(.nameOutput("x"))
    _ = state.reduce(.setEqualisers([:], crossfeeds: ["x": .standard]))
    #expect(state.deviations?.map(\.description) == ["crossfeed (default)"])
    _ = state.reduce(.bypassEqualiser(true))
    #expect(state.deviations == [])
    var mono = playing(.of(44_100, channels: 1, .bits16), depth: .bits16)
    _ = mono.reduce(.nameOutput("x"))
    _ = mono.reduce(.setEqualisers([:], crossfeeds: ["x": .standard]))
    #expect(mono.deviations == [])
  }

  @Test(
    arguments: [
      (.depth(from: 32, to: 24), "reduced from 32 to 24 bits"), (.lossy, "lossy codec"),
      (.rounded(to: 24), "floating point, rounded to 24 bits"), (.crossfade, "crossfade"),
    ] as [(SignalDeviation, String)])
  func `a deviation has a description in words`(deviation: SignalDeviation, text: String) {
    #expect(deviation.description == text)
  }

  /// Returns a state in which the second item has started with a crossfade.
  private func crossfaded(
    over crossfade: Duration, lasting duration: Duration?, stream: AudioFormat = .cd
  ) -> PlaybackState {
    var state = playing(.cd, depth: .bits16)
    _ = state.reduce(
      .report(
        .started(
          items[1], format: stream, stream: stream, gain: .off, duration: duration, crossfade: crossfade)))
    return state
  }

  @Test(
    arguments: [
      (Duration.seconds(5), Duration.seconds(60), 5), (.seconds(5), nil, 5), (.seconds(5), .seconds(6), 3),
      (.zero, .seconds(60), 0),
    ] as [(Duration, Duration?, Int)])
  func `a crossfade is reported until it ends, at half of a short track at the latest`(
    crossfade: Duration, duration: Duration?, end: Int
  ) {
    var state = crossfaded(over: crossfade, lasting: duration)
    for second in 0..<10 {
      _ = state.reduce(.report(.position(items[1], .seconds(second))))
      #expect(state.deviations == (second < end ? [.crossfade] : []), "at \(second) s")
    }
  }

  @Test func `there is no crossfade if the output is reopened`() {
    let state = crossfaded(
      over: .seconds(5), lasting: nil, stream: .of(48_000, channels: 2, coding: .integer(bits: 16)))
    #expect(state.deviations?.contains(.crossfade) == false)
  }

  @Test func `a seek ends the crossfade`() {
    var state = crossfaded(over: .seconds(5), lasting: nil)
    #expect(state.deviations == [.crossfade])
    _ = state.reduce(.report(.started(items[1], format: .cd, stream: .cd, gain: .off, duration: nil)))
    #expect(state.deviations == [])
  }

  @Test(arguments: [
    (Crossfade.off, 0), (Crossfade(duration: .milliseconds(100), withinAlbums: false), 0),
    (Crossfade(duration: .milliseconds(100), withinAlbums: true), 2),
  ])
  func `each track that is faded into reports the crossfade, and no other does`(
    crossfade: Crossfade, count: Int
  ) throws {
    let album = TrackCollection(
      title: "Numbers",
      tracks: (1...3).map { number in
        var track = Track(path: FilePath("\(number)"), title: "\(number)")
        track.album = "Numbers"
        track.number = Ordinal(number)
        return track
      })
    let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 20_000) }
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    let crossfadedItems = Watched<[PlayQueue.Item.ID]>([])
    let observation = flow.playback.observe { state in
      guard let item = state.item, state.deviations?.contains(.crossfade) == true else { return }
      crossfadedItems.change { if !$0.contains(item) { $0.append(item) } }
    }
    flow.playbackDispatcher.dispatch(.setCrossfade(crossfade))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    observation.cancel()
    #expect(crossfadedItems.value == flow.queue.queue.items.suffix(count).map(\.id))
  }
}
