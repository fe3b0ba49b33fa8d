import AudioCore
import MusicModel
import Testing

@testable import QueueFlow

@Suite struct PlayCounterTests {
  private let format = AudioFormat(sampleRate: 44_100, channels: 2, coding: .lossy)

  /// A state in which `id` plays, which lasts `seconds`.
  private func playing(_ id: UInt64, lasting seconds: Int) throws -> PlaybackState {
    let format = try #require(format)
    var state = PlaybackState()
    _ = state.reduce(.report(.requested(PlayQueue.Item.ID(rawValue: 1))))
    _ = state.reduce(.report(.changed(.playing)))
    _ = state.reduce(
      .report(
        .started(
          PlayQueue.Item.ID(rawValue: id), format: format, stream: format, gain: .off,
          duration: .seconds(seconds))))
    return state
  }

  /// Has the position of `state` go on second by second, and gives at which second it counted.
  private func counts(
    _ hearing: inout PlayCounter.Hearing, _ state: inout PlaybackState, _ id: UInt64, _ seconds: Range<Int>
  ) -> [Int] {
    seconds.filter { second in
      _ = state.reduce(.report(.position(PlayQueue.Item.ID(rawValue: id), .seconds(second))))
      return hearing.take(state)
    }
  }

  @Test func `A track counts once, when half of it was heard, and again when it plays again`() throws {
    var hearing = PlayCounter.Hearing()
    var state = try playing(1, lasting: 60)
    #expect(counts(&hearing, &state, 1, 0..<60) == [30])
    _ = state.reduce(.report(.requested(PlayQueue.Item.ID(rawValue: 1))))
    let format = try #require(format)
    _ = state.reduce(
      .report(
        .started(
          PlayQueue.Item.ID(rawValue: 1), format: format, stream: format, gain: .off, duration: .seconds(60)))
    )
    #expect(counts(&hearing, &state, 1, 0..<60) == [30])
  }

  @Test func `A long track counts after four minutes`() throws {
    var hearing = PlayCounter.Hearing()
    var state = try playing(1, lasting: 3600)
    #expect(counts(&hearing, &state, 1, 0..<1000) == [240])
  }

  @Test func `What was skipped by seeking was not heard`() throws {
    var hearing = PlayCounter.Hearing()
    var state = try playing(1, lasting: 100)
    #expect(counts(&hearing, &state, 1, 0..<10).isEmpty)
    #expect(counts(&hearing, &state, 1, 80..<99).isEmpty)
  }
}
