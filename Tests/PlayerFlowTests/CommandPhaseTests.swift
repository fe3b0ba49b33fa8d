// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
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

  /// A command during a call, and the phase after the call if playback was in `before` before it.
  struct Call: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before = PlaybackState.Phase.playing
    var during: [PlaybackAction] = []
    var after: PlaybackState.Phase
  }

  private static let calls = [
    Call(testDescription: "an ordinary call", after: .playing),
    Call(testDescription: "a call in a pause", before: .paused, after: .paused),
    Call(testDescription: "a call while stopped", before: .stopped, after: .stopped),
    Call(testDescription: "paused by the user, too", during: [.pause], after: .paused),
    Call(testDescription: "resumed and paused by the user", during: [.resume, .pause], after: .paused),
    Call(testDescription: "resumed by the user", during: [.resume], after: .playing),
    Call(testDescription: "toggled twice", during: [.toggle, .toggle], after: .paused),
    Call(testDescription: "stopped by the user", during: [.stop(rewinds: false)], after: .stopped),
    Call(testDescription: "a seek", during: [.seek(.by(.seconds(1)))], after: .playing),
    Call(testDescription: "a second call", during: [.interrupt(true)], after: .playing),
    Call(testDescription: "the end reported twice", during: [.interrupt(false), .pause], after: .paused),
    Call(testDescription: "the output disabled", during: [.enableOutput(false)], after: .paused),
  ]

  @Test(arguments: calls)
  func `Playback pauses for a call, and resumes after it unless the user has decided otherwise`(call: Call) throws {
    let flow = try Flow(
      [DecodingScript(tag: 1, frameCount: 400_000)], outputs: CollectingOutputs(granted: 1000))
    let album = TrackCollection(title: "Numbers", tracks: [Track(path: FilePath("1"), title: "1")])
    func act(_ action: PlaybackAction) {
      flow.playbackDispatcher.dispatch(action)
      flow.actions.awaitDelivery()
    }
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    switch call.before {
    case .playing: break
    case .paused: act(.pause)
    case .stopped: act(.stop(rewinds: false))
    }
    // Calls before have no influence, however short.
    for _ in 0..<3 {
      act(.interrupt(true))
      act(.interrupt(false))
    }
    #expect(flow.playback.state.phase == call.before)
    act(.interrupt(true))
    #expect(flow.playback.state.phase == (call.before == .playing ? .paused : call.before))
    for action in call.during { act(action) }
    act(.interrupt(false))
    #expect(flow.playback.state.phase == call.after)
  }

  @Test(arguments: [false, true])
  func `A call that ends before its beginning was handled leaves playback running`(isHandlingBeginning: Bool) throws {
    let script = DecodingScript(tag: 1, frameCount: 5000)
    let flow = try Flow([script], outputs: CollectingOutputs(granted: 1000))
    let album = TrackCollection(title: "Numbers", tracks: [Track(path: FilePath("1"), title: "1")])
    flow.act(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.startedCount == 1 })
    let gate = Gate()
    let dispatcher = flow.queueDispatcher
    let order = Watched<[PlaybackAction]>([])
    let subscription = dispatcher.subscribe { action in
      guard case .playback(let action) = action else { return }
      order.change { $0.append(action) }
      if action == (isHandlingBeginning ? .interrupt(true) : .dismissError) { gate.pass() }
    }
    let deliverer = try WorkerThread(name: "deliverer") {
      dispatcher.dispatch(.dismissError)
      if isHandlingBeginning { dispatcher.dispatch(.interrupt(true)) }
    }
    #expect(gate.awaitArrival())
    if !isHandlingBeginning { dispatcher.dispatch(.interrupt(true)) }
    dispatcher.dispatch(.interrupt(false))
    gate.open()
    #expect(deliverer.join(until: .now.advanced(byMilliseconds: 60_000)))
    flow.actions.awaitDelivery()
    #expect(order.value == [.dismissError, .interrupt(true), .interrupt(false)])
    #expect(flow.playback.state.phase == .playing)
    subscription.cancel()
    flow.outputs.grant()
    // The engine has paused and resumed, too: everything is played.
    #expect(flow.state.wait { $0.isOver && $0.startedCount == 1 })
    #expect(flow.outputs.samples.count == script.samples.count)
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
