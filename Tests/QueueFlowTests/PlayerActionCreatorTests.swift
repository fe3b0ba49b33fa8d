import Flux
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import TestSupport
import Testing

struct PlayerActionCreatorTests {
  @Test func `Whoever awaits delivery finds what it said done, while another thread delivers`() throws {
    let (queueDispatcher, playbackDispatcher) = (QueueDispatcher(), PlaybackDispatcher())
    let queue = QueueListener(dispatcher: queueDispatcher)
    let playback = PlaybackStore(dispatcher: playbackDispatcher)
    let actions = PlayerActionCreator(queue: queueDispatcher, playback: playbackDispatcher)
    let gate = Gate()
    // Holds up the thread that delivers.
    let subscription = queueDispatcher.subscribe { if case .clear = $0 { gate.pass() } }
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
