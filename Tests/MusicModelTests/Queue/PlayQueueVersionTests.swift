import MusicModel
import SystemPackage
import Testing

struct PlayQueueVersionTests {
  private static func tracks(_ names: String...) -> TrackList {
    TrackList(names.map { Track(path: FilePath("/music/\($0)"), title: $0) })
  }

  private static func queue(_ tracks: TrackList) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "", tracks: tracks), item: nil))
    return queue
  }

  @Test func `The items' version rises with what stands in the queue, and with nothing else`() {
    #expect(PlayQueue().itemsVersion == 0)
    var queue = Self.queue(Self.tracks("a", "b", "c"))
    let actions: [(QueueAction, rises: Bool)] = [
      (.play(queue.items[1].id, from: .zero), false), (.setRepeat(.all), false),
      (.setRandom(.tracks, seed: 1), false),
      (.swap(0, 2), true), (.swap(0, 9), false), (.remove(.positions([2..<3])), true),
      (.undo(steps: 1), true),
      (.prioritise(.positions([0..<1]), 3), true), (.clear, true),
    ]
    for (action, rises) in actions {
      let before = queue
      queue.reduce(action)
      #expect((queue.itemsVersion > before.itemsVersion) == rises, "\(action)")
      if rises { #expect(queue.itemsVersion == queue.version) }
      #expect(queue.changes(since: queue.itemsVersion).isEmpty)
    }
  }

  @Test func `What entered is found among its like, and not once it has left`() {
    var queue = Self.queue(Self.tracks("a", "b"))
    let earlier = queue
    let (mine, other) = (Self.tracks("a"), Self.tracks("a"))
    queue.reduce(.add(TrackCollection(title: "", tracks: other), at: .position(0)))
    #expect(queue.firstItem(of: mine, since: earlier) == nil)
    queue.reduce(.add(TrackCollection(title: "", tracks: mine), at: .position(1)))
    queue.reduce(.add(TrackCollection(title: "", tracks: Self.tracks("a")), at: .position(1)))
    #expect(queue.firstItem(of: mine, since: earlier)?.id.rawValue == 4)
    #expect(queue.firstItem(of: mine, since: queue) == nil)
    #expect(queue.firstItem(of: [], since: earlier) == nil)
    queue.reduce(.remove(.items([PlayQueue.Item.ID(rawValue: 4)])))
    #expect(queue.firstItem(of: mine, since: earlier) == nil)
  }
}
