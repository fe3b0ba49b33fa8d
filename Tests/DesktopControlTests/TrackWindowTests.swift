import MusicModel
import SystemPackage
import Testing

@testable import DesktopControl

@Suite struct TrackWindowTests {
  private func collection(_ numbers: ClosedRange<Int>) -> TrackCollection {
    TrackCollection(
      title: "T", tracks: numbers.map { Track(path: FilePath("/music/\($0).flac"), title: "Title \($0)") })
  }

  private func queue(_ count: Int, current: Int? = 0) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(collection(1...count), item: current))
    return queue
  }

  /// What is signalled when `actions` change `queue`.
  private func changes(_ queue: PlayQueue, _ actions: QueueAction...) -> [TrackWindow.Change] {
    var after = queue
    for action in actions { after.reduce(action) }
    let window = TrackWindow(queue)
    return window.shows(after) ? [] : TrackWindow(after).changes(since: window, in: after)
  }

  private func path(_ number: Int) -> String { "/org/segue/Item/\(number)" }

  @Test func `Added and removed items are signalled one by one`() {
    let queue = queue(3)
    let title = { (change: TrackWindow.Change) -> String? in
      guard case .added(let metadata, let behind) = change,
        case .text(let title)? = metadata.entries.first(where: { $0.key == "xesam:title" })?.value
      else { return nil }
      return "\(title) behind \(behind)"
    }
    let added = changes(queue, .add(collection(8...9), at: .position(1)))
    #expect(added.map(title) == ["Title 8 behind \(path(1))", "Title 9 behind \(path(4))"])
    let first = changes(queue, .add(collection(8...8), at: .position(0)))
    #expect(first.map(title) == ["Title 8 behind \(TrackWindow.noTrack)"])
    #expect(changes(queue, .remove(.positions([0..<2]))) == [.removed(path(1)), .removed(path(2))])
    #expect(changes(queue, .clear).count == 3)
    let moved = changes(queue, .move(.positions([0..<1]), to: 2))
    #expect(moved.count == 2 && moved.first == .removed(path(1)))
  }

  @Test func `What plays, and how, is no change of the list`() {
    let queue = queue(3)
    #expect(changes(queue, .play(queue.items.id(at: 2), from: .zero)).isEmpty)
    #expect(changes(queue, .setRandom(.tracks, seed: 1), .setRepeat(.all)).isEmpty)
  }

  @Test func `Many changes at once are another list`() {
    let queue = queue(40, current: 3)
    #expect(changes(queue, .remove(.positions([20..<40]))) == [.replaced((1...20).map(path), current: path(4))])
  }

  @Test func `Of a long queue the part around the current item is shown, and moves on seldom`() {
    let queue = queue(10_000, current: 0)
    #expect(TrackWindow(queue).objectPaths == (1...1000).map(path))
    #expect(changes(queue, .play(queue.items.id(at: 499), from: .zero)).isEmpty)
    let far = changes(queue, .play(queue.items.id(at: 5_120), from: .zero))
    #expect(far == [.replaced((4_751...5_750).map(path), current: path(5_121))])
    let last = changes(queue, .play(queue.items.id(at: 9_999), from: .zero))
    #expect(last == [.replaced((9_001...10_000).map(path), current: path(10_000))])
  }

  @Test func `Only its own paths name an item`() {
    #expect(PlayQueue.Item.ID(objectPath: path(7))?.rawValue == 7)
    for text in ["", "/", TrackWindow.noTrack, path(7) + "x", "/org/segue/Item/", "/org/segue/Item/-1"] {
      #expect(PlayQueue.Item.ID(objectPath: text) == nil, "\(text)")
    }
  }

  @Test func `The place of a bus is the socket that its address names first`() {
    #expect(BusPlace(address: "unix:path=/run/user/1000/bus").file == "/run/user/1000/bus")
    #expect(BusPlace(address: "tcp:host=x;unix:guid=ab,path=/tmp/a%20b,x=1;unix:path=/c").file == "/tmp/a b")
    for address in ["", "nonsense", "unix:abstract=/tmp/x", "unix:path=", "unix:path=bus", "tcp:host=a"] {
      #expect(BusPlace(address: address) == .elsewhere, "\(address)")
    }
    #expect(!BusPlace(address: "unix:path=/nonexistent/bus").mayBeThere && BusPlace(address: "tcp:host=a").mayBeThere)
  }
}
