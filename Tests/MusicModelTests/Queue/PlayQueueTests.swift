import MusicModel
import SystemPackage
import Testing

@Suite struct PlayQueueTests {
  private let collection = TrackCollection(
    title: "Numbers",
    tracks: (1...4).map { Track(path: FilePath("/music/\($0).flac"), title: "Number \($0)") })

  private func queue(after actions: QueueAction...) -> PlayQueue {
    var queue = PlayQueue()
    actions.forEach { queue.reduce($0) }
    return queue
  }

  @Test func `a collection with an item becomes the queue and that item is current`() {
    let queue = queue(after: .enqueue(collection, item: 2))
    #expect(queue.title == "Numbers")
    #expect(queue.items.map(\.track) == Array(collection.tracks))
    #expect(queue.currentPosition == 2)
    #expect(queue.current?.track.title == "Number 3")
  }

  @Test(arguments: [nil, -1, 4, Int.max] as [Int?])
  func `a collection without an item, or with one that it lacks, is only loaded`(item: Int?) {
    let queue = queue(after: .enqueue(collection, item: item))
    #expect(queue.items.count == 4)
    #expect(queue.current == nil)
  }

  @Test func `an empty collection empties the queue`() {
    let empty = TrackCollection(title: "Nothing", tracks: [])
    let queue = queue(after: .enqueue(collection, item: 0), .enqueue(empty, item: 0))
    #expect(queue.items.isEmpty)
    #expect(queue.current == nil)
  }

  @Test func `ids are never used again`() {
    var queue = queue(after: .enqueue(collection, item: 0))
    let first = Set(queue.items.map(\.id))
    queue.reduce(.enqueue(collection, item: 0))
    #expect(first.isDisjoint(with: queue.items.map(\.id)))
  }

  @Test func `positions and neighbours are found by id`() {
    let queue = queue(after: .enqueue(collection, item: nil), .enqueue(collection, item: nil))
    let ids = queue.items.map(\.id)
    #expect(ids.map(queue.position(of:)) == [0, 1, 2, 3])
    #expect(ids.map { queue.item(after: $0)?.id } == [ids[1], ids[2], ids[3], nil])
    #expect(ids.map { queue.item(before: $0)?.id } == [nil, ids[0], ids[1], ids[2]])
  }

  @Test func `an id that the queue does not hold changes nothing`() {
    var queue = queue(after: .enqueue(collection, item: 1))
    let before = queue
    for raw in [0, 99, UInt64.max] {
      let id = PlayQueue.Item.ID(rawValue: raw)
      queue.reduce(.play(id, from: .zero))
      queue.reduce(.advanced(to: id))
      #expect(queue.item(after: id) == nil)
      #expect(queue.item(before: id) == nil)
    }
    #expect(queue == before)
  }

  @Test func `playing, advancing and finishing move the current item and raise the version`() {
    var queue = queue(after: .enqueue(collection, item: nil))
    let ids = queue.items.map(\.id)
    queue.reduce(.play(ids[1], from: .zero))
    #expect(queue.current?.id == ids[1])
    queue.reduce(.advanced(to: ids[3]))
    #expect(queue.current?.id == ids[3])
    queue.reduce(.finished)
    #expect(queue.current == nil)
    #expect(queue.version == 4)
    queue.reduce(.finished)
    #expect(queue.version == 4)
  }

  @Test func `the queue lasts as long as its items whose length is known`() {
    var tracks = Array(collection.tracks)
    tracks[0].duration = .seconds(90)
    tracks[3].duration = .milliseconds(500)
    let queue = queue(after: .enqueue(TrackCollection(title: "", tracks: tracks), item: nil))
    #expect(queue.duration == .milliseconds(90_500))
  }
}
