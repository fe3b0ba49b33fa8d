// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import Flux
import MusicModel
import Platform
import PlayerFlow
import Synchronization
import TestSupport
import Testing

@testable import PlayerPort

@Suite struct OutputFollowerTests {
  private static let lost = OutputError(kind: .lost, description: "unplugged")

  /// The sinks that are plugged in, and what is called when that changes.
  private final class Sinks: Sendable {
    let names: Mutex<[String]>
    let onChange = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ names: [String]) { self.names = Mutex(names) }

    var supply: OutputSupply {
      OutputSupply(
        available: { [self] _ in
          (names.withLock(\.self).map { AvailableOutput(name: "pulse:\($0)", title: "Sink") }, true)
        },
        follow: { [self] change in onChange.withLock { $0 = change } })
    }

    func change(to new: [String]) {
      names.withLock { $0 = new }
      onChange.withLock(\.self)?()
    }
  }

  /// A follower with a player that plays, on a clock that stands still until the test advances it.
  private final class Rig: Sendable {
    let clock = ManualClock()
    let sinks: Sinks
    let dispatcher = QueueDispatcher()
    let actions: PlayerActionCreator
    let playback: PlaybackStore
    let follower: OutputFollower
    let used = Watched<[String]>([])

    init(_ list: [String], _ names: [String]) {
      sinks = Sinks(names)
      let store = PlayerStore(dispatcher: dispatcher)
      actions = PlayerActionCreator(dispatcher: dispatcher)
      playback = PlaybackStore(store)
      follower = OutputFollower(PreferredOutputs(list), sinks.supply, clock: clock)
      let control = OutputControl(
        name: { nil }, file: { nil }, list: { _ in [] },
        use: { [used] name, _ throws(PlayerError) in used.change { $0.append(name) } })
      follower.begin(control, actions, playback)
      actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: 0)
      actions.awaitDelivery()
    }

    /// Changes the sinks, and lets the change settle.
    func change(to names: String...) {
      sinks.change(to: names)
      let deadline = clock.now.nanoseconds / 1_000_000 + OutputPreferenceRule.settlingTime
      #expect(clock.awaitSleeper(untilMilliseconds: deadline))
      clock.advance(byMilliseconds: OutputPreferenceRule.settlingTime)
    }

    func report(_ report: PlaybackReport) {
      dispatcher.dispatch(.report(report))
      actions.awaitDelivery()
    }

    func reaches(_ condition: @escaping (PlaybackState) -> Bool) -> Bool {
      let state = Watched(playback.state)
      let subscription = playback.observe { new in state.change { $0 = new } }
      defer { subscription.cancel() }
      return state.wait(until: condition)
    }
  }

  @Test func `The first sink that is available is used, and playback pauses when there is none`() {
    let rig = Rig(["pulse:head", "pulse:desk"], ["desk"])
    #expect(rig.follower.output == "pulse:desk" && rig.follower.isFollowing)
    rig.change(to: "desk", "head")
    #expect(rig.used.wait { $0 == ["pulse:head"] })
    #expect(rig.reaches { $0.outputSwitch.isFollowed && $0.phase == .playing })
    rig.change(to: "desk")
    #expect(rig.used.wait { $0 == ["pulse:head", "pulse:desk"] })
    rig.change(to: "other")
    #expect(rig.reaches { $0.phase == .paused && $0.outputSwitch.pauseCount == 1 })
    #expect(rig.follower.isWithoutOutput)
    rig.change(to: "head")
    #expect(rig.used.wait { $0.count == 3 && $0.last == "pulse:head" })
    #expect(rig.playback.state.phase == .paused && !rig.follower.isWithoutOutput)
  }

  @Test func `What is resumed without an output pauses again`() {
    let rig = Rig(["pulse:head"], ["head"])
    rig.report(.outputLost(Self.lost))
    rig.change(to: "other")
    #expect(rig.reaches { $0.phase == .paused && $0.outputSwitch.pauseCount == 1 })
    rig.actions.resume()
    #expect(rig.reaches { $0.phase == .paused && $0.outputSwitch.pauseCount == 2 })
  }

  @Test func `A loss is left to the list, unless nothing happens for two seconds`() {
    let rig = Rig(["pulse:head", "pulse:desk"], ["head"])
    #expect(rig.reaches { $0.outputSwitch.isFollowed })
    rig.report(.outputLost(Self.lost))
    #expect(rig.clock.awaitSleeper(untilMilliseconds: 2_000))
    #expect(rig.playback.state.outputSwitch.isFollowed)
    rig.clock.advance(byMilliseconds: 2_000)
    #expect(rig.reaches { !$0.outputSwitch.isFollowed })
    let format = DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16)
    rig.report(.outputOpened(.init(name: "pulse", format: format, latency: .zero), warning: nil))
    #expect(rig.reaches { $0.outputSwitch.isFollowed })
  }

  @Test func `If the first sinks do not open, the next one is used`() {
    let rig = Rig(["pulse:head", "pulse:desk", "pulse:spare"], ["head", "desk", "spare"])
    #expect(rig.follower.skip() && rig.follower.skip() && rig.follower.output == "pulse:spare")
    #expect(rig.used.value == ["pulse:desk", "pulse:spare"])
    #expect(!rig.follower.skip() && rig.follower.isWithoutOutput)
    #expect(rig.follower.retry() && rig.follower.output == "pulse:head" && rig.used.value.last == "pulse:head")
    #expect(rig.follower.skip() && rig.follower.skip() && !rig.follower.skip() && rig.follower.isWithoutOutput)
    rig.follower.choose("pulse:head")
    #expect(rig.follower.isFollowing && rig.follower.output == "pulse:head")
  }

  @Test func `A sink that does not open is left out, and the choice of the user is respected`() {
    let rig = Rig(["pulse:head", "pulse:desk"], ["desk"])
    rig.change(to: "desk", "head")
    #expect(rig.used.wait { $0 == ["pulse:head"] })
    rig.report(.outputChosen(failure: Self.lost, preferred: "pulse:head"))
    #expect(rig.follower.output == "pulse:desk")
    rig.follower.choose("pulse:other")
    #expect(!rig.follower.isFollowing)
    rig.follower.follow(PreferredOutputs(["pulse:other"]))
    #expect(rig.reaches { $0.outputSwitch.pauseCount == 1 })
    rig.follower.follow(PreferredOutputs([]))
    #expect(!rig.follower.isFollowing && rig.follower.output == nil)
  }
}
