import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import QueueStorage
import SystemPackage
import TestSupport
import Testing

struct QueuePersisterTests {
  /// A flow without sound, with a keeper.
  private final class Rig {
    let dispatcher = QueueDispatcher()
    var playbackDispatcher: QueueDispatcher { dispatcher }
    let queue: QueueListener
    let playback: PlaybackStore
    let keeper: QueuePersister

    init(
      _ directory: FilePath, _ repository: (any QueueRepository)? = nil, takesVolume: Bool = true,
      newModes: QueueModes = QueueModes(), isRendering: Bool = false
    ) throws {
      let store = PlayerStore(dispatcher: dispatcher)
      (queue, playback) = (QueueListener(store), PlaybackStore(store))
      keeper = try QueuePersister(
        KeeperFlow(
          queue: queue, playback: playback, dispatcher: dispatcher),
        repository ?? StateDatabase(directory: directory), in: directory, takesVolume: takesVolume,
        newModes: newModes, isRendering: isRendering)
    }

    deinit { keeper.finish(within: 20_000) }

    /// The engine reports that the current item is heard, and so much of it was.
    func hear(_ position: Duration) throws {
      let item = try #require(queue.queue.current?.id)
      playbackDispatcher.dispatch(.report(.changed(.playing)))
      playbackDispatcher.dispatch(
        .report(.started(item, format: .cd, stream: .cd, gain: .off, duration: nil)))
      playbackDispatcher.dispatch(.report(.position(item, position)))
    }
  }

  private let directory: TemporaryDirectory
  private let state: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    state = directory["state/segue"]
  }

  private func kept() throws -> PlayQueue? {
    try StateDatabase(directory: state).look().flatMap { PlayQueue($0) }
  }

  private static func album(_ count: Int, _ title: String = "Album") -> TrackCollection {
    TrackCollection(
      title: title,
      tracks: (1...count).map { Track(path: FilePath("/Music/\(title)/\($0).flac"), title: "\($0)") })
  }

  @Test func `The modes of a new queue hold until the first are kept`() throws {
    var modes = QueueModes()
    modes.random = .albums
    modes.consume = true
    do {
      let flow = try Rig(state, newModes: modes)
      flow.keeper.awaitRecall()
      #expect(flow.queue.queue.modes == modes)
      flow.dispatcher.dispatch(.enqueue(Self.album(2), item: 0))
      flow.dispatcher.dispatch(.setRandom(.off, seed: 1))
      #expect(flow.keeper.flush() == nil)
    }
    let later = try Rig(state, newModes: modes)
    later.keeper.awaitRecall()
    modes.random = .off
    #expect(later.queue.queue.modes == modes)
  }

  @Test func `A queue, its history, modes, volume and place are there again`() throws {
    do {
      let rig = try Rig(state)
      rig.keeper.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(9), item: 3))
      rig.dispatcher.dispatch(.remove(.positions([7..<8])))
      rig.dispatcher.dispatch(.setRepeat(.all))
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 41)))
      try rig.hear(.milliseconds(61_500))
      #expect(rig.keeper.flush() == nil)
    }
    let rig = try Rig(state)
    rig.keeper.awaitOpening()
    #expect(rig.queue.queue.modes.repeat == .all && rig.playback.state.volume.percent == 41)
    rig.keeper.awaitRecall()
    let queue = rig.queue.queue
    #expect(queue.items.count == 8 && queue.currentPosition == 3 && queue.heard == .milliseconds(61_500))
    #expect(queue.undoable.count == 2)
    rig.dispatcher.dispatch(.undo(steps: 1))
    #expect(rig.queue.queue.items.count == 9)
    rig.keeper.flush()
    #expect(try kept()?.items.count == 9)
    #expect(rig.keeper.takeNotices() == [])
  }

  @Test func `What is rendered is played once and in full, and leaves modes and volume as they were kept`()
    throws
  {
    do {
      let rig = try Rig(state)
      rig.keeper.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(9), item: 3))
      rig.dispatcher.dispatch(.setRepeat(.all))
      rig.dispatcher.dispatch(.setRandom(.albums, seed: 5))
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 41)))
      #expect(rig.keeper.flush() == nil)
    }
    do {
      let rig = try Rig(state, isRendering: true)
      rig.keeper.awaitRecall()
      #expect(rig.queue.queue.modes == QueueModes() && rig.playback.state.volume == .full)
      #expect(rig.queue.queue.items.count == 9 && rig.queue.queue.currentPosition == 3)
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 7)))
      rig.dispatcher.dispatch(.enqueue(Self.album(2), item: 1))
      #expect(rig.keeper.flush() == nil)
    }
    let rig = try Rig(state)
    rig.keeper.awaitRecall()
    let queue = rig.queue.queue
    #expect(queue.modes.repeat == .all && queue.modes.random == .albums)
    #expect(rig.playback.state.volume.percent == 41)
    #expect(queue.items.count == 2 && queue.currentPosition == 1)
  }

  @Test func `What is enqueued before the recall lies above what was kept`() throws {
    do {
      let rig = try Rig(state)
      rig.keeper.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(5, "first"), item: 0))
    }
    let rig = try Rig(state)
    rig.keeper.awaitOpening()
    rig.dispatcher.dispatch(.enqueue(Self.album(2, "second"), item: 0))
    rig.keeper.awaitRecall()
    rig.keeper.flush()
    var queue = try #require(try kept())
    #expect(queue.title == "second" && queue.undoable.count == 2)
    queue.reduce(.undo(steps: 1))
    #expect(queue.title == "first" && queue.items.count == 5)
  }

  @Test func `An edit is on the disk when the flush has returned, also amid many`() throws {
    let rig = try Rig(state)
    for count in 1...40 {
      rig.dispatcher.dispatch(.add(Self.album(1), at: .end))
      if count.isMultiple(of: 4) {
        #expect(rig.keeper.flush() == nil)
        #expect(try kept()?.items.count == count)
      }
    }
  }

  @Test func `The place is kept while it moves on, and the track's own when it has ended`() throws {
    let rig = try Rig(state)
    rig.keeper.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(3), item: 0))
    try rig.hear(.seconds(30))
    rig.keeper.flush()
    #expect(try kept()?.heard == .seconds(30))
    let items = rig.queue.queue.items
    rig.dispatcher.dispatch(.advanced(to: items[1].id))
    rig.keeper.flush()
    #expect(try kept()?.heard == .zero)
    try rig.hear(.seconds(12))
    rig.dispatcher.dispatch(.heard(.seconds(13)))
    rig.playbackDispatcher.dispatch(.report(.changed(.stopped)))
    rig.keeper.flush()
    #expect(try kept()?.heard == .seconds(13))
    rig.dispatcher.dispatch(.play(items[1].id, from: .seconds(13)))
    rig.playbackDispatcher.dispatch(.report(.position(items[1].id, .zero)))
    rig.keeper.flush()
    #expect(try kept()?.heard == .seconds(13))
  }

  @Test func `A second keeper has a queue of its own, which is not kept`() throws {
    let first = try Rig(state)
    first.keeper.awaitRecall()
    first.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    first.dispatcher.dispatch(.setRepeat(.all))
    first.keeper.flush()
    let second = try Rig(state)
    #expect(second.keeper.ownership == .other(process: ProcessIdentity.own))
    second.keeper.awaitOpening()
    second.keeper.awaitRecall()
    #expect(second.queue.queue.items.isEmpty && second.queue.queue.modes == QueueModes())
    second.dispatcher.dispatch(.enqueue(Self.album(1), item: 0))
    #expect(second.keeper.flush() == nil)
    second.keeper.finish(within: 20_000)
    #expect(try kept()?.items.count == 4)
  }

  @Test func `The lock goes with the keeper`() throws {
    for _ in 0..<5 {
      let rig = try Rig(state)
      #expect(rig.keeper.ownership == .own)
    }
  }

  @Test func `A damaged file is told, set aside, and no obstacle`() throws {
    try directory.write(Array("rubbish, and more of it".utf8), to: "state/segue/state.sqlite")
    let rig = try Rig(state)
    rig.keeper.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    #expect(rig.keeper.flush() == nil)
    let notices = rig.keeper.takeNotices()
    #expect(notices.count == 1 && notices[0].contains("state.sqlite.damaged-"))
    #expect(try kept()?.items.count == 4)
  }

  @Test func `Pages that make no queue are set aside, too`() throws {
    let database = StateDatabase(directory: state)
    try database.keep(Kept.queue(pages: 3))
    database.close()
    let rig = try Rig(state)
    rig.keeper.awaitRecall()
    #expect(rig.keeper.takeNotices().count == 1 && rig.queue.queue.items.isEmpty)
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    #expect(rig.keeper.flush() == nil)
    #expect(try kept()?.items.count == 4)
  }

  @Test func `A place that cannot be used is told, and the queue goes on`() throws {
    try directory.write([], to: "state")
    let rig = try Rig(state)
    #expect(rig.keeper.ownership == .none(.notDirectory))
    rig.keeper.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    #expect(rig.keeper.flush() == nil && rig.queue.queue.items.count == 4)
  }

  @Test func `A queue that can be read and not kept is recalled all the same`() throws {
    do {
      let rig = try Rig(state)
      rig.keeper.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 2))
      rig.dispatcher.dispatch(.setRepeat(.all))
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 41)))
      #expect(rig.keeper.flush() == nil)
    }
    directory.remove("state/segue/owner.lock")
    try directory.makeDirectory("state/segue/owner.lock")
    let rig = try Rig(state)
    #expect(rig.keeper.ownership == .none(.isDirectory))
    #expect(rig.queue.queue.items.count == 4 && rig.queue.queue.currentPosition == 2)
    #expect(rig.queue.queue.modes.repeat == .all && rig.playback.state.volume.percent == 41)
    rig.dispatcher.dispatch(.clear)
    #expect(rig.keeper.flush() == nil && rig.keeper.takeNotices() == [])
    #expect(try kept()?.items.count == 4)
  }

  @Test func `What could not be written is written as soon as it can be, though nothing more comes`() throws {
    let repository = FullRepository(StateDatabase(directory: state))
    let rig = try Rig(state, repository)
    rig.keeper.awaitRecall()
    repository.isFull.change { $0 = true }
    rig.dispatcher.dispatch(.enqueue(Self.album(3), item: 0))
    #expect(rig.keeper.flush() == FullRepository.fault)
    #expect(try kept()?.items.count ?? 0 == 0)
    repository.isFull.change { $0 = false }
    #expect(try eventually { try kept()?.items.count == 3 })
  }

  @Test func `A disk that takes nothing is told once, and what comes when it does again is kept`() throws {
    let repository = FullRepository(StateDatabase(directory: state))
    let rig = try Rig(state, repository)
    rig.keeper.awaitRecall()
    repository.isFull.change { $0 = true }
    for count in 1...3 {
      rig.dispatcher.dispatch(.enqueue(Self.album(count), item: 0))
      #expect(rig.keeper.flush() == FullRepository.fault)
    }
    #expect(rig.keeper.takeNotices() == [FullRepository.fault.description])
    repository.isFull.change { $0 = false }
    #expect(rig.keeper.flush() == nil)
    #expect(try kept()?.items.count == 3)
  }
}
