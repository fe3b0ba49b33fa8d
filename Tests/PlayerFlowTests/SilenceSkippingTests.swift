// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Skipping the silence at the beginning and the end of tracks.
@Suite struct SilenceSkippingTests {
  private let second = 44_100

  /// Returns a measurement of a file of `length` seconds whose sound begins and ends at these seconds.
  private func sound(
    _ start: Double, _ end: Double, of length: Double, threshold: Double = -60
  ) throws -> MeasuredSound {
    func frame(_ seconds: Double) -> Int64 { Int64(seconds * Double(second)) }
    return try #require(
      MeasuredSound(
        threshold: threshold, sampleRate: second, from: frame(start), to: frame(end), of: frame(length)))
  }

  private func skipped(_ sound: MeasuredSound, start: Bool = true, end: Bool = true) -> [Int64?]? {
    let skipping = SilenceSkipping(threshold: -60, shortest: .seconds(2), gap: .milliseconds(500))
    return skipping.frames(of: sound, shortensStart: start, shortensEnd: end).map { [$0.start, $0.end] }
  }

  @Test func `only a silence of the shortest length is skipped, and the gap is left`() throws {
    #expect(try skipped(sound(1.99, 8.01, of: 10)) == nil)
    #expect(try skipped(sound(2, 8.01, of: 10)) == [66_150, nil])
    #expect(try skipped(sound(1.99, 8, of: 10)) == [0, 374_850])
    #expect(try skipped(sound(3, 7, of: 10)) == [110_250, 330_750])
    #expect(try skipped(sound(3, 7, of: 10), start: false) == [0, 330_750])
    #expect(try skipped(sound(3, 7, of: 10), end: false) == [110_250, nil])
  }

  @Test func `nothing is skipped in a silent file, or by a measurement with another threshold`() throws {
    #expect(try skipped(sound(0, 0, of: 10)) == nil)
    #expect(try skipped(sound(3, 7, of: 10, threshold: -50)) == nil)
  }

  @Test func `a measurement that cannot be is none`() {
    for (rate, start, end, count) in [
      (0, 0, 1, 2), (44_100, -1, 1, 2), (44_100, 2, 1, 3), (44_100, 0, 4, 3), (.max, 0, 1, 2),
    ] as [(Int, Int64, Int64, Int64)] {
      #expect(MeasuredSound(threshold: -60, sampleRate: rate, from: start, to: end, of: count) == nil)
    }
    #expect(MeasuredSound(threshold: .nan, sampleRate: 44_100, from: 0, to: 1, of: 2) == nil)
    #expect(MeasuredSound(threshold: 0, sampleRate: 44_100, from: 0, to: 1, of: 2) == nil)
  }

  /// Returns tracks of these albums, which are numbered within their album.
  private func tracks(_ albums: String...) -> TrackCollection {
    var numbers: [String: Int] = [:]
    return TrackCollection(
      title: "Mix",
      tracks: albums.enumerated().map { index, album in
        numbers[album, default: 0] += 1
        var track = Track(path: FilePath("\(album)/\(index + 1)"), title: "\(index + 1)")
        (track.album, track.albumArtists) = (album, ["Ann"])
        track.number = Ordinal(numbers[album] ?? 0)
        return track
      })
  }

  @Test func `silence is skipped between albums, but not between tracks of an album that follow each other`() throws {
    // 2 s of silence each, of which a second is left.
    let scripts = (1...4).map { DecodingScript(tag: $0, frameCount: 10 * second) }
    let flow = try Flow(
      scripts,
      measurements: { tracks in
        tracks.map { _ in AudioMeasurement(sound: try? self.sound(2, 8, of: 10)) }
      },
      skipping: SilenceSkipping(threshold: -60, shortest: .seconds(1), gap: .seconds(1)))
    let mix = tracks("A", "A", "B", "C")
    var found: [Track] = Array(mix.tracks)
    for index in found.indices { found[index].path = FilePath("\(index + 1)") }
    flow.queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Mix", tracks: found), item: 0))
    #expect(flow.state.wait { $0.isOver })
    let expected =
      scripts[0].samples(second..<10 * second) + scripts[1].samples(0..<9 * second)
      + scripts[2].samples(second..<9 * second) + scripts[3].samples(second..<9 * second)
    #expect(PCM.firstDifference(flow.outputs.samples, expected, channels: 2) == nil)
  }

  @Test func `a part of a file is played whole`() throws {
    let script = DecodingScript(tag: 1, frameCount: 10 * second)
    let flow = try Flow(
      [script], measurements: { $0.map { _ in AudioMeasurement(sound: try? self.sound(3, 7, of: 10)) } },
      skipping: SilenceSkipping())
    var track = Track(path: "1", title: "Part")
    track.segment = TrackSegment(start: 75, end: 9 * 75)
    flow.queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Sheet", tracks: [track]), item: 0))
    #expect(flow.state.wait { $0.isOver })
    #expect(
      PCM.firstDifference(flow.outputs.samples, script.samples(second..<9 * second), channels: 2) == nil)
  }

  @Test func `another next track changes which silence is skipped`() throws {
    var state = ReducedPlayer()
    state.reduce(.begin(pausesOnLoss: false, skipping: SilenceSkipping()), audible: nil)
    state.reduce(.queue(.enqueue(tracks("A", "A", "B", "A"), item: 0)), audible: nil)
    let items = state.queue.items
    #expect(state.effects == [.lookUpMeasurements([items[0]])])
    let measured = try AudioMeasurement(sound: sound(3, 7, of: 10))
    state.reduce(.measurements([items[0].id: measured]), audible: nil)
    guard case .play(let first, _, _, _)? = state.effects.last else {
      Issue.record("nothing is played")
      return
    }
    // Its end joins the next track of the album.
    #expect(first.frames == SourceFrames(sampleRate: second, frameCount: 441_000, start: 110_250, end: nil))
    state.reduce(.engine(.changed(.playing), after: ExecutedCommands(source: first.id)), audible: nil)
    state.reduce(.engine(PlayerStateTests.started(first.id), after: ExecutedCommands(source: first.id)), audible: nil)
    state.reduce(.engine(.needsNext(after: first.id), after: ExecutedCommands(source: first.id)), audible: nil)
    state.reduce(.measurements([items[0].id: measured, items[1].id: measured]), audible: nil)
    func nextSource() -> PlaybackSource? {
      for case .setNext(let source?, _, _) in state.effects { return source }
      return nil
    }
    #expect(nextSource()?.frames == SourceFrames(sampleRate: second, frameCount: 441_000, start: 0, end: 330_750))
    // The third track of the album comes right after the second one.
    state.reduce(.queue(.move(.positions([3..<4]), to: 2)), audible: nil)
    #expect(nextSource() != nil && nextSource()?.frames == nil)
  }

  @Test func `the end of a track is not skipped any more when its album continues after it`() throws {
    var state = ReducedPlayer()
    state.reduce(.begin(pausesOnLoss: false, skipping: SilenceSkipping()), audible: nil)
    state.reduce(.queue(.enqueue(tracks("A", "B", "A"), item: 0)), audible: nil)
    let measured = try AudioMeasurement(sound: sound(3, 7, of: 10))
    state.reduce(.measurements([state.queue.items[0].id: measured]), audible: nil)
    guard case .play(let first, _, _, _)? = state.effects.last else {
      Issue.record("nothing is played")
      return
    }
    #expect(first.frames?.end == 330_750)
    let executed = ExecutedCommands(source: first.id)
    state.reduce(.engine(PlayerStateTests.started(first.id), after: executed), audible: nil)
    state.reduce(.queue(.remove(.positions([1..<2]))), audible: nil)
    let whole = SourceFrames(sampleRate: second, frameCount: 441_000, start: 110_250, end: nil)
    #expect(state.effects.contains(.setFrames(whole, of: first.id)))
    state.reduce(.queue(.setRepeat(.all)), audible: nil)
    #expect(!state.effects.contains { if case .setFrames = $0 { true } else { false } })
  }

  @Test func `the previous track is played from the first seconds of one whose beginning is skipped`() throws {
    for (position, title) in [(7, "1"), (12, "2")] {
      var state = ReducedPlayer()
      state.reduce(.begin(pausesOnLoss: false, skipping: SilenceSkipping()), audible: nil)
      state.reduce(.queue(.enqueue(tracks("A", "B"), item: 1)), audible: nil)
      let measured = try AudioMeasurement(sound: sound(6, 60, of: 60))
      let current = state.queue.items[1].id
      state.reduce(.measurements([current: measured]), audible: nil)
      guard case .play(let source, _, _, _)? = state.effects.last else {
        Issue.record("nothing is played")
        return
      }
      let executed = ExecutedCommands(source: source.id)
      state.reduce(.engine(.changed(.playing), after: executed), audible: nil)
      state.reduce(.engine(PlayerStateTests.started(source.id), after: executed), audible: nil)
      #expect(state.playback.part == PlayedPart(start: .milliseconds(5_500)))
      let audible = SourcePosition(source: source.id, position: .seconds(position))
      state.reduce(.playback(.previous), audible: audible)
      #expect(state.queue.current?.track.title == title)
    }
  }

  @Test func `what was played is looked up again before it is played again`() throws {
    var state = ReducedPlayer()
    state.reduce(.begin(pausesOnLoss: false, skipping: SilenceSkipping()), audible: nil)
    state.reduce(.queue(.setRepeat(.all)), audible: nil)
    state.reduce(.queue(.enqueue(tracks("A", "B"), item: 0)), audible: nil)
    let items = state.queue.items.map(\.id)
    let measured = try AudioMeasurement(sound: sound(6, 60, of: 60))
    state.reduce(.measurements([items[0]: measured]), audible: nil)
    guard case .play(let first, _, _, _)? = state.effects.last else {
      Issue.record("nothing is played")
      return
    }
    let executed = ExecutedCommands(source: first.id)
    state.reduce(.engine(PlayerStateTests.started(first.id), after: executed), audible: nil)
    state.reduce(.engine(.needsNext(after: first.id), after: executed), audible: nil)
    state.reduce(.measurements([items[0]: measured, items[1]: measured]), audible: nil)
    guard case .setNext(let second?, _, _)? = state.effects.last else {
      Issue.record("nothing is next")
      return
    }
    state.reduce(.engine(PlayerStateTests.started(second.id), after: executed), audible: nil)
    state.reduce(.engine(.needsNext(after: second.id), after: executed), audible: nil)
    guard case .lookUpMeasurements(let asked)? = state.effects.last else {
      Issue.record("nothing is looked up: \(state.effects)")
      return
    }
    #expect(asked.map(\.id) == [items[0]])
  }
}
