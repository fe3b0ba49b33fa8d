import Flux
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import TestSupport
import Testing

struct PlayerActionCreatorTests {
  @Test func `Whoever awaits delivery finds what it said done, while another thread delivers`() throws {
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    let (queue, playback) = (QueueListener(store), PlaybackStore(store))
    let actions = PlayerActionCreator(dispatcher: dispatcher)
    let gate = Gate()
    // Holds up the thread that delivers.
    let subscription = dispatcher.subscribe { if case .queue(.clear) = $0 { gate.pass() } }
    let delivering = try WorkerThread(name: "delivering") { actions.clear() }
    #expect(gate.awaitArrival())
    let track = Track(path: "/music/a", title: "a")
    let seen = Watched<(count: Int, volume: Int)?>(nil)
    let asking = try WorkerThread(name: "asking") {
      actions.enqueue(TrackCollection(title: "", tracks: [track]), item: nil)
      actions.setVolume(Volume(percent: 40))
      actions.awaitDelivery()
      seen.change { $0 = (queue.queue.items.count, playback.state.volume.percent) }
    }
    #expect(queue.queue.items.isEmpty && seen.value == nil)
    gate.open()
    #expect(asking.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(delivering.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(seen.value?.count == 1 && seen.value?.volume == 40)
    subscription.cancel()
  }
}
