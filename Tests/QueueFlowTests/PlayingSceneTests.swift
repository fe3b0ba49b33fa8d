import MusicModel
import QueueFlow
import SystemPackage
import Testing

struct PlayingSceneTests {
  private static func queue(_ titles: [String]) -> PlayQueue {
    let tracks = titles.map { Track(path: FilePath("/music/\($0)"), title: $0) }
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Titles", tracks: tracks), item: 0))
    return queue
  }

  @Test func `It is what plays, or else what is current, with what comes next, once each`() {
    var queue = Self.queue(["a", "b", "c"])
    let (first, second) = (queue.items[0].id, queue.items[1].id)
    let scene = PlayingScene(queue, playing: second)
    #expect(scene.track?.title == "b" && scene.position == 1 && scene.count == 3 && scene.title == "Titles")
    #expect(scene.next.map(\.title) == ["c"])
    #expect(PlayingScene(queue, playing: nil).next.map(\.title) == ["b", "c"])
    queue.reduce(.setRepeat(.all))
    #expect(PlayingScene(queue, playing: first).next.map(\.title) == ["b", "c", "a"])
    #expect(PlayingScene(queue, playing: first).modes.repeat == "all")
    // What was removed meanwhile is not what plays.
    queue.reduce(.remove(.items([second])))
    #expect(PlayingScene(queue, playing: second).track?.title == "a")
    queue.reduce(.setRepeat(.one))
    #expect(PlayingScene(queue, playing: first).next.map(\.title) == ["a"])
  }

  @Test func `A long queue has as many next as are asked for, an empty one nothing`() {
    let queue = Self.queue((0..<40).map { "t\($0)" })
    #expect(PlayingScene(queue, playing: nil).next.map(\.title) == ["t1", "t2", "t3", "t4", "t5"])
    #expect(PlayingScene(queue, playing: nil, nextLimit: 0).next.isEmpty)
    let empty = PlayingScene(PlayQueue(), playing: nil)
    #expect(empty.track == nil && empty.position == nil && empty.count == 0 && empty.next.isEmpty)
  }
}
