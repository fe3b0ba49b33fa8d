import AudioCore
import MusicModel
import Testing

@testable import QueueFlow

/// When the state says that what plays is heard, so that its position moves on by itself.
struct HeardStateTests {
  private let item = PlayQueue.Item.ID(rawValue: 1)

  private func start(_ state: inout PlaybackState) throws {
    let format = try #require(AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)))
    _ = state.reduce(
      .report(.started(item, format: format, stream: format, gain: .off, duration: .seconds(60))))
  }

  @Test func `Nothing is heard before its first frame is, at the beginning and behind a seek`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.requested(item)))
    _ = state.reduce(.report(.changed(.playing)))
    #expect(!state.isHeard)
    try start(&state)
    #expect(state.isHeard)
    _ = state.reduce(.seek(.to(.seconds(30))))
    _ = state.reduce(.report(.position(item, .seconds(30))))
    #expect(!state.isHeard)
    try start(&state)
    #expect(state.isHeard)
  }

  @Test func `Nothing is heard while the output is stalled or gone`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    try start(&state)
    _ = state.reduce(.report(.outputStalled(true)))
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(!state.isHeard)
    _ = state.reduce(.report(.outputStalled(false)))
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(state.isHeard)
    _ = state.reduce(.report(.outputLost(OutputError(kind: .lost, description: "gone"))))
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(!state.isHeard)
  }

  @Test func `What is paused is heard again when its position says so`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    try start(&state)
    _ = state.reduce(.report(.changed(.paused)))
    #expect(!state.isHeard)
    _ = state.reduce(.resume)
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(!state.isHeard)
    _ = state.reduce(.report(.changed(.playing)))
    #expect(!state.isHeard)
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(state.isHeard)
  }

  @Test func `A position is expected where it has moved on with time, and hardly behind that`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    try start(&state)
    var later = state
    _ = later.reduce(.report(.position(item, .milliseconds(500))))
    #expect(later.isExpected(after: state, .milliseconds(510)))
    #expect(!later.isExpected(after: state, .milliseconds(540)))
    #expect(!later.isExpected(after: state, .milliseconds(250)))
  }
}
