// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// The playback state directly after a command.
@Suite struct CommandPhaseTests {
  private enum Command: CaseIterable {
    case play, playSecond, pause, resume, toggle, stop, stopByEdit

    /// Returns the phase to which this command leads from `phase`.
    func nextPhase(after phase: PlaybackState.Phase) -> PlaybackState.Phase {
      switch self {
      case .play, .playSecond, .resume: .playing
      case .pause: phase == .stopped ? .stopped : .paused
      case .toggle: phase == .playing ? .paused : .playing
      case .stop, .stopByEdit: .stopped
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `The phase follows the last command at once, however quickly commands arrive`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    // The device accepts no more samples, so that nothing ends by itself.
    let flow = try Flow(
      (1...2).map { DecodingScript(tag: $0, frameCount: 5000) }, outputs: CollectingOutputs(granted: 1000))
    let album = TrackCollection(
      title: "Numbers", tracks: (1...2).map { Track(path: FilePath("\($0)"), title: "\($0)") })
    let actions = flow.actions
    actions.enqueue(album, item: nil)
    actions.awaitDelivery()
    let ids = flow.queue.queue.items.map(\.id)
    var phase = PlaybackState.Phase.stopped
    for step in 0..<300 {
      let command = Command.allCases.randomElement(using: &random) ?? .stop
      switch command {
      case .play: actions.play(ids[0])
      case .playSecond: actions.play(ids[1])
      case .pause: actions.pause()
      case .resume: actions.resume()
      case .toggle: actions.toggle()
      case .stop: actions.stop()
      case .stopByEdit:
        actions.clear()
        actions.undo()
        // Undoing the edit resumes playback.
        actions.stop()
      }
      phase = command.nextPhase(after: phase)
      actions.awaitDelivery()
      #expect(flow.playback.state.phase == phase, "\(command), step \(step)")
      if flow.playback.state.phase != phase { return }
    }
    // The engine reaches the same phase.
    #expect(flow.state.wait { $0.phase == phase })
  }
}

struct PlayerActionCreatorTests {
  @Test func `After awaiting delivery, earlier actions have taken effect, even if another thread delivers`() throws {
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    let (queue, playback) = (QueueListener(store), PlaybackStore(store))
    let actions = PlayerActionCreator(dispatcher: dispatcher)
    let gate = Gate()
    // Blocks the delivering thread.
    let subscription = dispatcher.subscribe { if case .queue(.clear) = $0 { gate.pass() } }
    let deliveringThread = try WorkerThread(name: "delivering") { actions.clear() }
    #expect(gate.awaitArrival())
    let track = Track(path: "/music/a", title: "a")
    let observed = Watched<(count: Int, volume: Int)?>(nil)
    let waitingThread = try WorkerThread(name: "waiting") {
      actions.enqueue(TrackCollection(title: "", tracks: [track]), item: nil)
      actions.setVolume(Volume(percent: 40))
      actions.awaitDelivery()
      observed.change { $0 = (queue.queue.items.count, playback.state.volume.percent) }
    }
    #expect(queue.queue.items.isEmpty && observed.value == nil)
    gate.open()
    #expect(waitingThread.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(deliveringThread.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(observed.value?.count == 1 && observed.value?.volume == 40)
    subscription.cancel()
  }
}
