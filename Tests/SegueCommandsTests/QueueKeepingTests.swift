import Flux
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import TestSupport
import Testing

struct QueueKeepingTests {
  private let directory: TemporaryDirectory
  private let file: StateFile<QueueSnapshot>

  init() throws {
    directory = try TemporaryDirectory()
    file = StateFile.queue(in: directory["state/segue"])
  }

  private static let collection = TrackCollection(
    title: "T", tracks: [Examples.track("a\u{0}\n夜"), Examples.track("b", artist: nil, seconds: nil)])

  @Test func `A snapshot is read as it was written`() throws {
    #expect(try file.read() == nil)
    let snapshot = QueueSnapshot(Examples.queue(Array(Self.collection.tracks), current: 1))
    try file.write(snapshot)
    #expect(try file.read() == snapshot)
    #expect(snapshot.currentPosition == 1 && snapshot.entries.count == 2 && snapshot.entries[1].artist == nil)
    try file.write(QueueSnapshot(PlayQueue()))
    #expect(try file.read() == QueueSnapshot(PlayQueue()))
  }

  @Test func `A path that is no text is left out, and the rest is kept`() throws {
    var track = Examples.track("a")
    track.path = try #require(FilePath(bytes: [0x2F, 0xFF]))
    try file.write(QueueSnapshot(Examples.queue([track])))
    let entry = try #require(try file.read()?.entries.first)
    #expect(entry.path == nil && entry.title == "a")
  }

  @Test(arguments: ["", "{", "[]", "null", "{\"title\":3}", "\u{FEFF}"])
  func `A file that holds no snapshot is damaged`(text: String) throws {
    try directory.write(Array(text.utf8), to: "state/segue/queue.json")
    #expect(throws: StateFileFailure.damaged) { try file.read() }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Noise and files cut short are damaged, and never trap`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try directory.write(generator.bytes(300), to: "state/segue/queue.json")
    #expect(throws: StateFileFailure.damaged) { try file.read() }
    try file.write(QueueSnapshot(Examples.queue(Array(Self.collection.tracks))))
    let bytes = try #require(try AtomicFile.read(file.path, limit: 9_999))
    let cut = Int.random(in: 0..<bytes.count, using: &generator)
    try directory.write(Array(bytes[..<cut]), to: "state/segue/queue.json")
    #expect(throws: StateFileFailure.damaged) { try file.read() }
  }

  @Test func `What cannot be read or written says why`() throws {
    try directory.makeDirectory("state/segue/queue.json")
    #expect(throws: StateFileFailure.unreadable(.invalidArgument)) { try file.read() }
    #expect(throws: Errno.self) { try file.write(QueueSnapshot(PlayQueue())) }
  }

  @Test func `The keeper keeps the newest queue, and nothing before the first change`() throws {
    let dispatcher = QueueDispatcher()
    let listener = QueueListener(dispatcher: dispatcher)
    let keeper = try StateKeeper(
      queue: listener, playback: PlaybackStore(dispatcher: PlaybackDispatcher()), in: directory["state/segue"]
    )
    #expect(try file.read() == nil)
    for index in 0..<500 { dispatcher.dispatch(.enqueue(Self.collection, item: index % 2)) }
    dispatcher.dispatch(.enqueue(TrackCollection(title: "last", tracks: []), item: nil))
    keeper.finish(within: 10_000)
    #expect(try file.read()?.title == "last")
    #expect(keeper.failure == nil)
    dispatcher.dispatch(.enqueue(Self.collection, item: 0))
    #expect(try file.read()?.title == "last")
  }

  @Test func `A keeper that cannot write tells why`() throws {
    try directory.write([], to: "state/segue")
    let dispatcher = QueueDispatcher()
    let listener = QueueListener(dispatcher: dispatcher)
    let keeper = try StateKeeper(
      queue: listener, playback: PlaybackStore(dispatcher: PlaybackDispatcher()), in: directory["state/segue"]
    )
    dispatcher.dispatch(.enqueue(Self.collection, item: 0))
    keeper.finish(within: 10_000)
    #expect(listener.queue.items.count == 2)
    #expect(keeper.failure == .notDirectory)
  }
}
