// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow
import TestSupport
import Testing

@testable import Commands
@testable import Terminal

struct PlaybackNoticesTests {
  private let loss = OutputError(kind: .lost, description: "pulse: device lost")
  private let output = PlaybackState.Output(
    name: "pulse", format: DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16),
    latency: .milliseconds(300))

  @Test func `The loss of a device is reported with its consequence, and so is its return`() {
    var notices = PlaybackNotices()
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    _ = state.reduce(.report(.outputOpened(output, warning: nil)))
    #expect(notices.notices(for: state).isEmpty)
    _ = state.reduce(.report(.outputLost(loss)))
    #expect(notices.notices(for: state) == ["reopening the output: pulse: device lost"])
    _ = state.reduce(.report(.outputOpened(output, warning: nil)))
    #expect(notices.notices(for: state) == ["the output device is back"])
    // A return that was missed is still reported.
    for _ in 1...2 { _ = state.reduce(.report(.outputLost(loss))) }
    _ = notices.notices(for: state)
    _ = state.reduce(.report(.outputOpened(output, warning: nil)))
    _ = state.reduce(.report(.outputLost(loss)))
    #expect(
      notices.notices(for: state) == [
        "the output device is back", "reopening the output: pulse: device lost",
      ])
    _ = state.reduce(.report(.outputOpened(output, warning: nil)))
    _ = notices.notices(for: state)
    _ = state.reduce(.report(.changed(.paused)))
    _ = state.reduce(.report(.outputLost(loss)))
    #expect(notices.notices(for: state) == ["paused: pulse: device lost"])
    _ = state.reduce(.report(.changed(.stopped)))
    #expect(notices.notices(for: state).isEmpty)
  }

  @Test func `While a list of outputs is followed, a loss is reported together with what happens instead`() {
    var notices = PlaybackNotices()
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    _ = state.reduce(.report(.outputsFollowed(true)))
    _ = state.reduce(.report(.outputLost(loss)))
    #expect(notices.notices(for: state).isEmpty)
    _ = state.reduce(.report(.outputOpened(output, warning: nil)))
    _ = state.reduce(.report(.outputChosen(failure: nil, preferred: "pulse:desk")))
    #expect(notices.notices(for: state) == ["playing to pulse:desk"])
    #expect(PlaybackNotices.isGood("playing to pulse:desk"))
    _ = state.reduce(.report(.outputLost(loss)))
    #expect(notices.notices(for: state).isEmpty)
    _ = state.reduce(.pauseWithoutOutput)
    #expect(state.phase == .paused)
    #expect(notices.notices(for: state) == ["paused: none of the preferred outputs is available"])
    _ = state.reduce(.report(.changed(.playing)))
    #expect(notices.notices(for: state).isEmpty)
    // The server is missing: nothing else happens soon.
    _ = state.reduce(.report(.outputLost(loss)))
    _ = state.reduce(.report(.outputsFollowed(false)))
    #expect(notices.notices(for: state) == ["reopening the output: pulse: device lost"])
    _ = state.reduce(.report(.outputOpened(output, warning: nil)))
    #expect(notices.notices(for: state) == ["the output device is back"])
    _ = state.reduce(.report(.outputChosen(failure: loss, preferred: "pulse:desk")))
    #expect(notices.notices(for: state) == ["pulse: device lost (the output has not changed)"])
  }

  @Test func `An unreadable file is reported, and also when it can be read again`() {
    var notices = PlaybackNotices()
    var state = PlaybackState()
    let file = PlayQueue.Item.ID(rawValue: 1)
    _ = state.reduce(.report(.requested(file)))
    _ = state.reduce(.report(.changed(.playing)))
    _ = state.reduce(.report(.started(file, format: .cd, stream: .cd, gain: .off, duration: nil)))
    _ = state.reduce(.report(.inputStalled(true)))
    #expect(!state.isAdvancing)
    #expect(notices.notices(for: state) == ["waiting for the audio: its disk or server is slow, or does not respond"])
    _ = state.reduce(.report(.inputStalled(false)))
    #expect(notices.notices(for: state) == ["the audio is arriving again"])
    _ = state.reduce(.report(.inputStalled(true)))
    _ = notices.notices(for: state)
    _ = state.reduce(.report(.requested(file)))
    #expect(!state.isInputStalled && notices.notices(for: state).isEmpty)
  }

  @Test func `JSON contains no characters that could harm a terminal`() {
    #expect(
      JSONText.text(["a": "é\u{1B}\u{9B}\u{202E}\u{2028}\u{E0001}\"/"])
        == #"{"a":"é\u001b\u009b\u202e\u2028\udb40\udc01\"/","version":1}"#)
  }
}
