// SPDX-License-Identifier: GPL-3.0-or-later

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
  /// A player flow without an engine, and its persister.
  private final class Rig {
    let dispatcher = QueueDispatcher()
    var playbackDispatcher: QueueDispatcher { dispatcher }
    let queue: QueueListener
    let playback: PlaybackStore
    let persister: QueuePersister

    init(
      _ directory: FilePath, _ queues: (any QueueCollection)? = nil, restoresVolume: Bool = true,
      newModes: QueueModes = QueueModes(), isRendering: Bool = false, clock: any MonotonicClock = SystemClock()
    ) throws {
      let store = PlayerStore(dispatcher: dispatcher)
      (queue, playback) = (QueueListener(store), PlaybackStore(store))
      persister = try QueuePersister(
        PersistenceContext(
          queue: queue, playback: playback, dispatcher: dispatcher),
        queues ?? QueueDirectory(directory: directory), in: directory, restoresVolume: restoresVolume,
        newModes: newModes, isRendering: isRendering, clock: clock)
    }

    deinit { persister.finish(within: 20_000) }

    /// Reports, as the engine would, that the current item is playing and has reached `position`.
    func reportPosition(_ position: Duration) throws {
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

  private func storedQueue() throws -> PlayQueue? {
    try StateDatabase(directory: state).peek().flatMap { PlayQueue($0) }
  }

  private static func album(_ count: Int, _ title: String = "Album") -> TrackCollection {
    TrackCollection(
      title: title,
      tracks: (1...count).map { Track(path: FilePath("/Music/\(title)/\($0).flac"), title: "\($0)") })
  }

  @Test func `The default modes apply to a new queue until other modes are stored`() throws {
    var modes = QueueModes()
    modes.random = .albums
    modes.consume = true
    do {
      let rig = try Rig(state, newModes: modes)
      rig.persister.awaitRecall()
      #expect(rig.queue.queue.modes == modes)
      rig.dispatcher.dispatch(.enqueue(Self.album(2), item: 0))
      rig.dispatcher.dispatch(.setRandom(.off, seed: 1))
      #expect(rig.persister.flush() == nil)
    }
    let later = try Rig(state, newModes: modes)
    later.persister.awaitRecall()
    modes.random = .off
    #expect(later.queue.queue.modes == modes)
  }

  @Test func `The queue, its history, modes, volume and position are restored`() throws {
    do {
      let rig = try Rig(state)
      rig.persister.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(9), item: 3))
      rig.dispatcher.dispatch(.remove(.positions([7..<8])))
      rig.dispatcher.dispatch(.setRepeat(.all))
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 41)))
      try rig.reportPosition(.milliseconds(61_500))
      #expect(rig.persister.flush() == nil)
    }
    let rig = try Rig(state)
    rig.persister.awaitOpening()
    #expect(rig.queue.queue.modes.repeat == .all && rig.playback.state.volume.percent == 41)
    rig.persister.awaitRecall()
    let queue = rig.queue.queue
    #expect(queue.items.count == 8 && queue.currentPosition == 3 && queue.elapsed == .milliseconds(61_500))
    #expect(queue.undoable.count == 2)
    rig.dispatcher.dispatch(.undo(steps: 1))
    #expect(rig.queue.queue.items.count == 9)
    rig.persister.flush()
    #expect(try storedQueue()?.items.count == 9)
    #expect(rig.persister.takeNotices() == [])
  }

  @Test func `Rendering plays everything once at full level, and leaves the stored modes and volume unchanged`()
    throws
  {
    do {
      let rig = try Rig(state)
      rig.persister.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(9), item: 3))
      rig.dispatcher.dispatch(.setRepeat(.all))
      rig.dispatcher.dispatch(.setRandom(.albums, seed: 5))
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 41)))
      #expect(rig.persister.flush() == nil)
    }
    do {
      let rig = try Rig(state, isRendering: true)
      rig.persister.awaitRecall()
      #expect(rig.queue.queue.modes == QueueModes() && rig.playback.state.volume == .full)
      #expect(rig.queue.queue.items.count == 9 && rig.queue.queue.currentPosition == 3)
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 7)))
      rig.dispatcher.dispatch(.enqueue(Self.album(2), item: 1))
      #expect(rig.persister.flush() == nil)
    }
    let rig = try Rig(state)
    rig.persister.awaitRecall()
    let queue = rig.queue.queue
    #expect(queue.modes.repeat == .all && queue.modes.random == .albums)
    #expect(rig.playback.state.volume.percent == 41)
    #expect(queue.items.count == 2 && queue.currentPosition == 1)
  }

  @Test func `The stored queue is undoable history of what was enqueued before it was loaded`() throws {
    do {
      let rig = try Rig(state)
      rig.persister.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(5, "first"), item: 0))
    }
    let rig = try Rig(state)
    rig.persister.awaitOpening()
    rig.dispatcher.dispatch(.enqueue(Self.album(2, "second"), item: 0))
    rig.persister.awaitRecall()
    rig.persister.flush()
    var queue = try #require(try storedQueue())
    #expect(queue.title == "second" && queue.undoable.count == 2)
    queue.reduce(.undo(steps: 1))
    #expect(queue.title == "first" && queue.items.count == 5)
  }

  @Test func `After a flush an edit is on the disk, even among many edits`() throws {
    let rig = try Rig(state)
    for count in 1...40 {
      rig.dispatcher.dispatch(.add(Self.album(1), at: .end))
      if count.isMultiple(of: 4) {
        #expect(rig.persister.flush() == nil)
        #expect(try storedQueue()?.items.count == count)
      }
    }
  }

  @Test func `The position is stored while it advances, and then that of the next track`() throws {
    let rig = try Rig(state)
    rig.persister.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(3), item: 0))
    try rig.reportPosition(.seconds(30))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .seconds(30))
    let items = rig.queue.queue.items
    rig.dispatcher.dispatch(.advanced(to: items[1].id))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .zero)
    try rig.reportPosition(.seconds(12))
    rig.dispatcher.dispatch(.elapsed(.seconds(13)))
    rig.playbackDispatcher.dispatch(.report(.changed(.stopped)))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .seconds(13))
    rig.dispatcher.dispatch(.play(items[1].id, from: .seconds(13)))
    rig.playbackDispatcher.dispatch(.report(.position(items[1].id, .zero)))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .seconds(13))
  }

  @Test func `A position that is requested before the track has started is stored`() throws {
    let rig = try Rig(state)
    rig.persister.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(3), item: 1))
    rig.playbackDispatcher.dispatch(.seek(.to(.seconds(5))))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .seconds(5))
    let item = try #require(rig.queue.queue.current?.id)
    rig.playbackDispatcher.dispatch(
      .report(.started(item, format: .cd, stream: .cd, gain: .off, duration: nil)))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .seconds(5))
    rig.playbackDispatcher.dispatch(.report(.position(item, .seconds(6))))
    rig.persister.flush()
    #expect(try storedQueue()?.elapsed == .seconds(6))
  }

  @Test func `A second persister has a queue of its own, which is not stored`() throws {
    let first = try Rig(state)
    first.persister.awaitRecall()
    first.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    first.dispatcher.dispatch(.setRepeat(.all))
    first.persister.flush()
    let second = try Rig(state)
    #expect(second.persister.ownership == .other(process: ProcessIdentity.own))
    second.persister.awaitOpening()
    second.persister.awaitRecall()
    #expect(second.queue.queue.items.isEmpty && second.queue.queue.modes == QueueModes())
    second.dispatcher.dispatch(.enqueue(Self.album(1), item: 0))
    #expect(second.persister.flush() == nil)
    second.persister.finish(within: 20_000)
    #expect(try storedQueue()?.items.count == 4)
  }

  @Test func `The lock is released with the persister`() throws {
    for _ in 0..<5 {
      let rig = try Rig(state)
      #expect(rig.persister.ownership == .own)
    }
  }

  @Test func `A damaged file is reported and set aside, and does no further harm`() throws {
    try directory.write(Array("rubbish, and more of it".utf8), to: "state/segue/state.sqlite")
    let rig = try Rig(state)
    rig.persister.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    #expect(rig.persister.flush() == nil)
    let notices = rig.persister.takeNotices()
    #expect(notices.count == 1 && notices[0].contains("state.sqlite.damaged-"))
    #expect(try storedQueue()?.items.count == 4)
  }

  @Test func `Pages that do not form a queue are set aside too`() throws {
    let database = StateDatabase(directory: state)
    try database.store(StoredQueues.queue(pages: 3))
    database.close()
    let rig = try Rig(state)
    rig.persister.awaitRecall()
    #expect(rig.persister.takeNotices().count == 1 && rig.queue.queue.items.isEmpty)
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    #expect(rig.persister.flush() == nil)
    #expect(try storedQueue()?.items.count == 4)
  }

  @Test func `A directory that cannot be used does not affect the queue`() throws {
    try directory.write([], to: "state")
    let rig = try Rig(state)
    #expect(rig.persister.ownership == .none(.notDirectory))
    rig.persister.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    #expect(rig.persister.flush() == nil && rig.queue.queue.items.count == 4)
  }

  @Test func `A queue that can be read but not written is restored`() throws {
    do {
      let rig = try Rig(state)
      rig.persister.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 2))
      rig.dispatcher.dispatch(.setRepeat(.all))
      rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 41)))
      #expect(rig.persister.flush() == nil)
    }
    directory.remove("state/segue/owner.lock")
    try directory.makeDirectory("state/segue/owner.lock")
    let rig = try Rig(state)
    #expect(rig.persister.ownership == .none(.isDirectory))
    #expect(rig.queue.queue.items.count == 4 && rig.queue.queue.currentPosition == 2)
    #expect(rig.queue.queue.modes.repeat == .all && rig.playback.state.volume.percent == 41)
    rig.dispatcher.dispatch(.clear)
    #expect(rig.persister.flush() == nil && rig.persister.takeNotices() == [])
    #expect(try storedQueue()?.items.count == 4)
  }

  @Test func `A failed write is repeated until it succeeds, without further changes`() throws {
    let repository = FullRepository(QueueDirectory(directory: state))
    let clock = ManualClock()
    let rig = try Rig(state, repository, clock: clock)
    rig.persister.awaitRecall()
    repository.isFull.change { $0 = true }
    rig.dispatcher.dispatch(.enqueue(Self.album(3), item: 0))
    #expect(rig.persister.flush() == FullRepository.error)
    #expect(try storedQueue()?.items.count ?? 0 == 0)
    repository.isFull.change { $0 = false }
    #expect(
      try eventually {
        clock.advance(byMilliseconds: 500)
        return try storedQueue()?.items.count == 3
      })
  }

  @Test func `A full disk is reported once, and the queue is stored once there is space`() throws {
    let repository = FullRepository(QueueDirectory(directory: state))
    let rig = try Rig(state, repository)
    rig.persister.awaitRecall()
    repository.isFull.change { $0 = true }
    for count in 1...3 {
      rig.dispatcher.dispatch(.enqueue(Self.album(count), item: 0))
      #expect(rig.persister.flush() == FullRepository.error)
    }
    #expect(rig.persister.takeNotices() == [FullRepository.error.description])
    repository.isFull.change { $0 = false }
    #expect(rig.persister.flush() == nil)
    #expect(try storedQueue()?.items.count == 3)
  }
}

extension QueuePersisterTests {
  @Test func `Each queue is restored with its position, modes and history, the current one first`() throws {
    let name = try #require(QueueName("Übung 1/2"))
    do {
      let rig = try Rig(state)
      rig.persister.awaitRecall()
      rig.dispatcher.dispatch(.enqueue(Self.album(5), item: 2))
      rig.dispatcher.dispatch(.setRepeat(.all))
      try rig.reportPosition(.nanoseconds(61_123_456_789))
      rig.dispatcher.dispatch(.use(name, PlayQueue().stored))
      #expect(rig.persister.flush() == nil)
      rig.dispatcher.dispatch(.enqueue(Self.album(2, "Other"), item: 1))
      rig.dispatcher.dispatch(.setVolume(Volume(percent: 41)))
      #expect(rig.persister.flush() == nil)
    }
    let queues = QueueDirectory(directory: state)
    #expect(Set(queues.names) == [.standard, name] && queues.current == name)
    let rig = try Rig(state)
    rig.persister.awaitRecall()
    #expect(rig.queue.queue.name == name && rig.queue.queue.title == "Other")
    #expect(rig.queue.queue.modes.repeat == .off && rig.playback.state.volume.percent == 41)
    let stored = try #require(try rig.persister.queues.repository(of: .standard).restore())
    rig.dispatcher.dispatch(.use(.standard, stored))
    let queue = rig.queue.queue
    #expect(queue.items.count == 5 && queue.currentPosition == 2 && queue.modes.repeat == .all)
    #expect(queue.elapsed == .nanoseconds(61_123_456_789) && queue.undoable.count == 1)
    #expect(rig.persister.flush() == nil && queues.current == .standard)
    try queues.delete(name)
    #expect(try queues.names == [.standard] && queues.repository(of: name).peek() == nil)
  }

  @Test func `If the disk is full, the queue before is still the current one after a restart, and none is lost`() throws
  {
    let name = try #require(QueueName("work"))
    let disk = FullRepository(QueueDirectory(directory: state))
    let rig = try Rig(state, disk)
    rig.persister.awaitRecall()
    rig.dispatcher.dispatch(.enqueue(Self.album(3), item: 0))
    #expect(rig.persister.flush() == nil)
    disk.isFull.change { $0 = true }
    rig.dispatcher.dispatch(.enqueue(Self.album(4), item: 0))
    rig.dispatcher.dispatch(.use(name, PlayQueue().stored))
    rig.dispatcher.dispatch(.enqueue(Self.album(5), item: 0))
    #expect(rig.persister.flush() == FullRepository.error)
    #expect(try disk.current == .standard && storedQueue()?.items.count == 3)
    disk.isFull.change { $0 = false }
    #expect(rig.persister.flush() == nil)
    #expect(try disk.current == name && storedQueue()?.items.count == 4)
    #expect(try disk.repository(of: name).peek().flatMap { PlayQueue($0) }?.items.count == 5)
  }

  @Test(arguments: ["work", "a/b", "..", "é", "WORK", "%41", String(repeating: "界", count: 26)])
  func `Every name has a directory of its own`(text: String) throws {
    let name = try #require(QueueName(text))
    let queues = QueueDirectory(directory: state)
    var queue = PlayQueue()
    queue.reduce(.add(Self.album(1), at: .end))
    for other in [name, QueueName("work"), .standard].compactMap(\.self) {
      try queues.repository(of: other).store(queue.stored)
    }
    #expect(Set(queues.names) == [name, QueueName("work"), .standard])
    try queues.setCurrent(name)
    #expect(QueueDirectory(directory: state).current == name)
    try directory.write(Array("\u{1B}\n".utf8), to: "state/segue/current-queue")
    #expect(queues.current == .standard)
  }
}
