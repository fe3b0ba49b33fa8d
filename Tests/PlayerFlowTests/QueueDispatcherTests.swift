// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlaybackEngine
import TestSupport
import Testing

@testable import PlayerFlow

/// What an action carries, and what a reader waits for.
@Suite struct QueueDispatcherTests {
  /// An engine that has played as much as the test says.
  private final class Engine: PositionSource {
    let source = PlaybackSource.ID(rawValue: 1)
    let seconds = Watched(0)

    var sourcePosition: SourcePosition? { SourcePosition(source: source, position: .seconds(seconds.value)) }
  }

  @Test func `An action carries the position that was audible when it was dispatched, not when it is delivered`() throws
  {
    let dispatcher = QueueDispatcher()
    let engine = Engine()
    dispatcher.readPosition(from: engine)
    let gate = Gate()
    let positions = Watched<[Duration?]>([])
    let subscription = dispatcher.actions.subscribe { [dispatcher] action in
      positions.change { $0.append(action.audible?.position) }
      guard case .playback(.setVolume) = action.action else { return }
      // A subscriber dispatches, and another thread does so while this one is blocked.
      engine.seconds.change { $0 = 2 }
      dispatcher.dispatch(.pause)
      gate.pass()
    }
    engine.seconds.change { $0 = 1 }
    let deliverer = try WorkerThread(name: "deliverer") { [dispatcher] in dispatcher.dispatch(.setVolume(.full)) }
    #expect(gate.awaitArrival())
    engine.seconds.change { $0 = 3 }
    dispatcher.dispatch(.engine(.finished, after: ExecutedCommands()))
    engine.seconds.change { $0 = 4 }
    gate.open()
    #expect(deliverer.join(until: .now.advanced(byMilliseconds: 60_000)))
    withExtendedLifetime(subscription) { #expect(positions.value == [.seconds(1), .seconds(2), .seconds(3)]) }
  }

  @Test func `A pause that waits for its turn keeps the position at which it was requested`() throws {
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    let playback = PlaybackStore(store)
    let engine = Engine()
    dispatcher.readPosition(from: engine)
    let executed = ExecutedCommands(source: engine.source)
    dispatcher.dispatch(.enqueue(PlayerStateTests.album(1), item: 0))
    for event in [EngineEvent.changed(.playing), PlayerStateTests.started(engine.source)] {
      dispatcher.dispatch(.engine(event, after: executed))
    }
    engine.seconds.change { $0 = 10 }
    let gate = Gate()
    let subscription = dispatcher.subscribe { if case .playback(.setVolume) = $0 { gate.pass() } }
    let deliverer = try WorkerThread(name: "deliverer") { [dispatcher] in dispatcher.dispatch(.setVolume(.full)) }
    #expect(gate.awaitArrival())
    dispatcher.dispatch(.pause)
    engine.seconds.change { $0 = 13 }
    gate.open()
    #expect(deliverer.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(playback.state.phase == .paused && playback.state.position == .seconds(10))
    subscription.cancel()
  }

  @Test func `What knows the position is not retained`() {
    let dispatcher = QueueDispatcher()
    dispatcher.readPosition(from: Engine())
    #expect(dispatcher.audiblePosition == nil)
  }
}
