// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import Synchronization
import SystemPackage

/// The work of the persistence thread: loads the stored queue, and writes changes.
final class PersistenceWorker: Sendable {
  /// How long to wait for further changes before a write, in milliseconds.
  private static let batchMilliseconds: UInt64 = 20
  /// The time between a failed write and the next attempt, in milliseconds.
  private static let retryMilliseconds: UInt64 = 2_000
  /// The delay before the stored queue is loaded, in milliseconds, so that playback starts first. It ends early if a
  /// caller is waiting for the queue.
  private static let recallDelay: UInt64 = 60

  /// A latch that opens when the stored modes, item numbers and volume have been dispatched.
  let opening = Latch()
  /// A latch that opens when the stored queue has been dispatched.
  let recall = Latch()

  private let context: PersistenceContext
  private let queues: any QueueCollection
  private let restoresVolume: Bool
  private let newModes: QueueModes
  private let isRendering: Bool
  private let lock: Mutex<InstanceLock?>
  private let clock: any MonotonicClock
  private let pending: Mutex<PersistenceState>
  private let signal = ThreadSignal()

  init(
    _ context: PersistenceContext, _ queues: any QueueCollection, _ lock: InstanceLock?,
    restoresVolume: Bool, newModes: QueueModes, isRendering: Bool, clock: any MonotonicClock
  ) {
    self.context = context
    self.queues = queues
    self.lock = Mutex(lock)
    self.restoresVolume = restoresVolume
    self.newModes = newModes
    self.isRendering = isRendering
    self.clock = clock
    pending = Mutex(PersistenceState(at: clock.now))
  }

  // MARK: From any thread

  func receive(_ queue: PlayQueue) {
    pending.withLock { $0.receive(queue) }
    signal.wake()
  }

  func receive(_ state: PlaybackState) {
    if pending.withLock({ $0.receive(state, at: clock.now) }) { signal.wake() }
  }

  func requestQueue() {
    pending.withLock { $0.isQueueAwaited = true }
    signal.wake()
  }

  func end() {
    pending.withLock { $0.isEnding = true }
    signal.wake()
  }

  func takeNotices() -> [String] {
    pending.withLock { pending in
      defer { pending.notices = [] }
      return pending.notices
    }
  }

  /// Blocks until everything dispatched so far is on disk; returns the error of the last write, or `nil` if it
  /// succeeded.
  func flush() -> QueueStorageError? {
    let delivery = Latch()
    context.dispatcher.afterDelivery { delivery.open() }
    delivery.wait()
    let latch = Latch()
    let isOver = pending.withLock { pending in
      pending.isQueueAwaited = true
      if !pending.isEnding { pending.flushes.append(latch) }
      return pending.isEnding
    }
    signal.wake()
    if !isOver { latch.wait() }
    return pending.withLock { $0.error }
  }

  /// Starts a session that stores nothing. It begins with the stored queue if `restoresQueue` is set, otherwise with a
  /// new one.
  func startWithoutStoring(restoresQueue: Bool) {
    let name = queues.current
    let repository = queues.repository(of: name)
    let peekHeader = { () throws(QueueStorageError) in try repository.peekHeader() }
    begin(restoresQueue ? notingErrors(peekHeader) ?? nil : nil, name)
    if restoresQueue, let stored = notingErrors({ () throws(QueueStorageError) in try repository.peek() }) ?? nil {
      context.dispatcher.dispatch(.restored(stored))
    }
    recall.open()
  }

  // MARK: On the persistence thread

  func run() {
    var stored = StoredState(name: queues.current)
    open(&stored)
    waitBeforeRecall()
    recallQueue(queues.repository(of: stored.name))
    recall.open()
    work(&stored)
    queues.close()
    lock.withLock { $0 = nil }
    for latch in pending.withLock({ $0.flushes }) { latch.open() }
  }

  private struct StoredState {
    /// The name of the current queue.
    var name: QueueName
    /// The versions of the queues that were left.
    var left: [QueueName: UInt64] = [:]
    var version: UInt64?
    var elapsed: Duration?
    var volume: Int?
    /// The stored modes, if the modes of the queue must not replace them; otherwise `nil`.
    var modes: QueueModes?
  }

  private func open(_ stored: inout StoredState) {
    let header = notingErrors { () throws(QueueStorageError) in try queues.repository(of: stored.name).readHeader() }
    if isRendering {
      stored.modes = header?.modes ?? QueueModes()
    } else {
      stored.volume = header?.volume
    }
    begin(header, stored.name)
  }

  private func begin(_ header: StoredQueueHeader?, _ name: QueueName) {
    guard !isRendering else { return dispatchOpened(header, name, modes: QueueModes()) }
    if restoresVolume, let volume = header?.volume.map(Volume.init(percent:)), volume != .full {
      context.dispatcher.dispatch(.setVolume(volume))
    }
    dispatchOpened(header, name, modes: storedModes(header) ?? newModes)
  }

  /// Returns the stored modes; `nil` if the queue never had an item and no mode was ever turned on.
  private func storedModes(_ header: StoredQueueHeader?) -> QueueModes? {
    header.flatMap { $0.lastID == 0 && $0.modes == QueueModes() ? nil : $0.modes }
  }

  private func dispatchOpened(_ header: StoredQueueHeader?, _ name: QueueName, modes: QueueModes) {
    context.dispatcher.dispatch(
      .started(
        modes, seed: header?.seed ?? .random(in: .min ... .max),
        lastID: header?.lastID ?? 0, lastScan: WallClock.now, name: name))
    opening.open()
  }

  /// Waits a moment so that playback starts first, unless a caller is waiting for the queue.
  private func waitBeforeRecall() {
    let end = clock.now.advanced(byMilliseconds: Self.recallDelay)
    while pending.withLock({ !$0.isQueueAwaited && !$0.isEnding }), clock.now < end {
      clock.wait(for: signal, until: end)
    }
  }

  private func recallQueue(_ repository: any QueueRepository) {
    guard let stored = notingErrors({ () throws(QueueStorageError) in try repository.restore() }) ?? nil else { return }
    context.dispatcher.dispatch(.restored(stored))
    let delivery = Latch()
    context.dispatcher.afterDelivery { delivery.open() }
    delivery.wait()
    // The queue validates what it accepts; only a queue that was not accepted is checked again.
    if !context.queue.queue.stored.hasItems(of: stored), PlayQueue(stored) == nil { note(repository.setAside()) }
  }

  private func work(_ stored: inout StoredState) {
    var mustRetry = false
    while true {
      waitForMoreChanges()
      let (todo, isEnding) = pending.withLock { pending in
        let todo = pending
        pending.isQueueChanged = false
        pending.isElapsedDue = false
        pending.isStateChanged = false
        pending.flushes = []
        return (todo, pending.isEnding)
      }
      if todo.hasWork || isEnding || mustRetry {
        let error = attempt { () throws(QueueStorageError) in try write(&stored) }
        report(error)
        // A failed write is repeated, even if no further change arrives.
        mustRetry = error?.kind == .unwritten
        for latch in todo.flushes { latch.open() }
        // No caller waits for the clean-up.
        if error == nil {
          report(attempt { () throws(QueueStorageError) in try queues.repository(of: stored.name).deleteUnused() })
        }
      }
      if isEnding { return }
      if !todo.hasWork {
        clock.wait(for: signal, until: mustRetry ? clock.now.advanced(byMilliseconds: Self.retryMilliseconds) : nil)
      }
    }
  }

  /// Waits a moment so that playback starts first, and changes that arrive together are written together.
  private func waitForMoreChanges() {
    let end = clock.now.advanced(byMilliseconds: Self.batchMilliseconds)
    while pending.withLock({ $0.mayWait }), clock.now < end { clock.wait(for: signal, until: end) }
  }

  private func write(_ stored: inout StoredState) throws(QueueStorageError) {
    let queue = context.queue.queue
    do throws(Errno) { try StreamSecrets.shared.flush() } catch {
      throw QueueStorageError(.unwritten, "cannot save the passwords of streams: \(error)")
    }
    for (name, queue) in queue.left where stored.left[name] != queue.version {
      var left = queue.stored
      if let modes = stored.modes { left.modes = modes }
      try store(left, in: queues.repository(of: name))
      stored.left[name] = queue.version
    }
    let repository = queues.repository(of: queue.name)
    let isOther = queue.name != stored.name
    if isOther { (stored.version, stored.elapsed, stored.volume) = (nil, nil, nil) }
    let volume = context.playback.state.volume.percent
    let elapsed = pending.withLock { $0.elapsed(in: queue) }
    if queue.version != stored.version {
      var newQueue = queue.stored
      newQueue.contents.elapsed = elapsed
      if let modes = stored.modes { newQueue.modes = modes }
      if try store(newQueue, in: repository) { stored.volume = nil }
      stored.version = queue.version
      stored.elapsed = elapsed
    } else if elapsed != stored.elapsed {
      try repository.store(elapsed: elapsed)
      stored.elapsed = elapsed
    }
    if !isRendering, volume != stored.volume {
      try repository.store(volume: volume)
      stored.volume = volume
    }
    guard isOther else { return }
    try queues.setCurrent(queue.name)
    stored.name = queue.name
  }

  /// Stores a queue. Returns whether what was stored before was damaged, and has been set aside.
  @discardableResult
  private func store(_ queue: StoredQueue, in repository: any QueueRepository) throws(QueueStorageError) -> Bool {
    do throws(QueueStorageError) {
      try repository.store(queue)
      return false
    } catch {
      guard error.kind == .setAside else { throw error }
      note(error)
      try repository.store(queue)
      return true
    }
  }

  /// Queues a message about `error`, unless it equals the last one. `nil` means that there was no error.
  private func report(_ error: QueueStorageError?) {
    pending.withLock { pending in
      if let error, error != pending.error { pending.notices.append(error.description) }
      pending.error = error
    }
  }

  private func attempt(_ body: () throws(QueueStorageError) -> Void) -> QueueStorageError? {
    do throws(QueueStorageError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func notingErrors<Value>(_ body: () throws(QueueStorageError) -> Value) -> Value? {
    do throws(QueueStorageError) {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }

  private func note(_ error: QueueStorageError) {
    pending.withLock { pending in
      if error != pending.error { pending.notices.append(error.description) }
      if error.kind != .setAside { pending.error = error }
    }
  }
}

extension StoredQueue {
  /// Returns whether `restored` has the same items as this queue, or as this queue before its last edit.
  fileprivate func hasItems(of restored: StoredQueue) -> Bool {
    let candidates = [contents] + undoable.suffix(1).map(\.contents)
    return !restored.contents.items.isEmpty
      && candidates.contains { $0.items.elementsEqual(restored.contents.items, by: ===) }
  }
}
