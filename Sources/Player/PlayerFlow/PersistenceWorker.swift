// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import Synchronization
import SystemPackage

/// The work of the persistence thread: loads the stored queue, and writes changes.
final class PersistenceWorker: Sendable {
  private static let pauseMilliseconds: UInt64 = 20
  /// The time between a failed write and the next attempt, in milliseconds.
  private static let retryMilliseconds: UInt64 = 2_000
  /// The delay before the stored queue is loaded, in milliseconds, so that playback starts first. It ends early if a
  /// caller is waiting for the queue.
  private static let recallDelay: UInt64 = 60

  /// A latch that opens when the stored modes, item numbers and volume have been dispatched.
  let opening = Latch()
  /// A latch that opens when the stored queue has been dispatched.
  let recall = Latch()

  private let flow: KeeperFlow
  private let repository: any QueueRepository
  private let takesVolume: Bool
  private let newModes: QueueModes
  private let isRendering: Bool
  private let lock: Mutex<OwnerLock?>
  private let clock: any MonotonicClock
  private let desk: Mutex<PersistenceState>
  private let signal = ThreadSignal()

  init(
    _ flow: KeeperFlow, _ repository: any QueueRepository, _ lock: OwnerLock?,
    takesVolume: Bool, newModes: QueueModes, isRendering: Bool, clock: any MonotonicClock
  ) {
    self.flow = flow
    self.repository = repository
    self.lock = Mutex(lock)
    self.takesVolume = takesVolume
    self.newModes = newModes
    self.isRendering = isRendering
    self.clock = clock
    desk = Mutex(PersistenceState(at: clock.now))
  }

  // MARK: From any thread

  func take(_ queue: PlayQueue) {
    desk.withLock { $0.take(queue) }
    signal.wake()
  }

  func take(_ state: PlaybackState) {
    if desk.withLock({ $0.take(state, at: clock.now) }) { signal.wake() }
  }

  func hurry() {
    desk.withLock { $0.isHurried = true }
    signal.wake()
  }

  func end() {
    desk.withLock { $0.isEnding = true }
    signal.wake()
  }

  func takeNotices() -> [String] {
    desk.withLock { desk in
      defer { desk.notices = [] }
      return desk.notices
    }
  }

  /// Blocks until everything dispatched so far is on disk; returns the error of the last write, or `nil` if it
  /// succeeded.
  func flush() -> QueueFault? {
    let delivery = Latch()
    flow.dispatcher.afterDelivery { delivery.open() }
    delivery.wait()
    let latch = Latch()
    let isOver = desk.withLock { desk in
      desk.isHurried = true
      if !desk.isEnding { desk.flushes.append(latch) }
      return desk.isEnding
    }
    signal.wake()
    if !isOver { latch.wait() }
    return desk.withLock { $0.fault }
  }

  /// Starts a session that stores nothing. It begins with the stored queue if `readsKept` is set, otherwise with a new
  /// one.
  func beginWithoutKeeping(readsKept: Bool) {
    let look = { () throws(QueueFault) in try self.repository.lookAtBeginning() }
    begin(readsKept ? unlessFaulty(look) ?? nil : nil)
    if readsKept, let kept = unlessFaulty({ () throws(QueueFault) in try repository.look() }) ?? nil {
      flow.dispatcher.dispatch(.recalled(kept))
    }
    recall.open()
  }

  // MARK: On the persistence thread

  func run() {
    var kept = Kept()
    open(&kept)
    waitBeforeRecall()
    recallQueue()
    recall.open()
    work(&kept)
    repository.close()
    lock.withLock { $0 = nil }
    for latch in desk.withLock({ $0.flushes }) { latch.open() }
  }

  /// The values that are currently stored.
  private struct Kept {
    var version: UInt64?
    var heard: Duration?
    var volume: Int?
    /// The stored modes, if the modes of the queue must not replace them; otherwise `nil`.
    var modes: QueueModes?
  }

  private func open(_ kept: inout Kept) {
    let beginning = unlessFaulty { () throws(QueueFault) in try repository.begin() }
    if isRendering {
      kept.modes = beginning?.modes ?? QueueModes()
    } else {
      kept.volume = beginning?.volume
    }
    begin(beginning)
  }

  private func begin(_ beginning: KeptBeginning?) {
    guard !isRendering else { return dispatchOpened(beginning, modes: QueueModes()) }
    if takesVolume, let volume = beginning?.volume.map(Volume.init(percent:)), volume != .full {
      flow.dispatcher.dispatch(.setVolume(volume))
    }
    dispatchOpened(beginning, modes: keptModes(beginning) ?? newModes)
  }

  /// Returns the stored modes; `nil` if the queue never had an item and no mode was ever turned on.
  private func keptModes(_ beginning: KeptBeginning?) -> QueueModes? {
    beginning.flatMap { $0.lastID == 0 && $0.modes == QueueModes() ? nil : $0.modes }
  }

  private func dispatchOpened(_ beginning: KeptBeginning?, modes: QueueModes) {
    flow.dispatcher.dispatch(
      .opened(
        modes, seed: beginning?.seed ?? .random(in: .min ... .max),
        lastID: beginning?.lastID ?? 0))
    opening.open()
  }

  /// Waits a moment so that playback starts first, unless a caller is waiting for the queue.
  private func waitBeforeRecall() {
    let end = clock.now.advanced(byMilliseconds: Self.recallDelay)
    while desk.withLock({ !$0.isHurried && !$0.isEnding }), clock.now < end { clock.wait(for: signal, until: end) }
  }

  private func recallQueue() {
    guard let kept = unlessFaulty({ () throws(QueueFault) in try repository.recall() }) ?? nil else { return }
    flow.dispatcher.dispatch(.recalled(kept))
    let delivery = Latch()
    flow.dispatcher.afterDelivery { delivery.open() }
    delivery.wait()
    // The queue validates what it accepts; only a queue that was not accepted is checked again.
    if !flow.queue.queue.kept.holds(kept), PlayQueue(kept) == nil { note(repository.setAside()) }
  }

  private func work(_ kept: inout Kept) {
    var isOwed = false
    while true {
      pause()
      let (todo, isEnding) = desk.withLock { desk in
        let todo = desk
        desk.isQueueNews = false
        desk.isPlaceDue = false
        desk.isStateNews = false
        desk.flushes = []
        return (todo, desk.isEnding)
      }
      if todo.hasWork || isEnding || isOwed {
        let fault = attempt { () throws(QueueFault) in try write(&kept) }
        tell(fault)
        // A failed write is repeated, even if no further change arrives.
        isOwed = fault?.kind == .unwritten
        for latch in todo.flushes { latch.open() }
        // No caller waits for the clean-up.
        if fault == nil { tell(attempt { () throws(QueueFault) in try repository.tidy() }) }
      }
      if isEnding { return }
      if !todo.hasWork {
        clock.wait(for: signal, until: isOwed ? clock.now.advanced(byMilliseconds: Self.retryMilliseconds) : nil)
      }
    }
  }

  /// Waits a moment so that playback starts first, and changes that arrive together are written together.
  private func pause() {
    let end = clock.now.advanced(byMilliseconds: Self.pauseMilliseconds)
    while desk.withLock({ $0.mayWait }), clock.now < end { clock.wait(for: signal, until: end) }
  }

  private func write(_ kept: inout Kept) throws(QueueFault) {
    let queue = flow.queue.queue
    let volume = flow.playback.state.volume.percent
    let heard = desk.withLock { $0.heard(of: queue) }
    if queue.version != kept.version {
      var whole = queue.kept
      whole.contents.heard = heard
      if let modes = kept.modes { whole.modes = modes }
      do throws(QueueFault) {
        try repository.keep(whole)
      } catch {
        guard error.kind == .setAside else { throw error }
        note(error)
        try repository.keep(whole)
        kept.volume = nil
      }
      kept.version = queue.version
      kept.heard = heard
    } else if heard != kept.heard {
      try repository.keep(heard: heard)
      kept.heard = heard
    }
    if !isRendering, volume != kept.volume {
      try repository.keep(volume: volume)
      kept.volume = volume
    }
  }

  /// Queues a message about `fault`, unless it equals the last one. `nil` means that there was no error.
  private func tell(_ fault: QueueFault?) {
    desk.withLock { desk in
      if let fault, fault != desk.fault { desk.notices.append(fault.description) }
      desk.fault = fault
    }
  }

  private func attempt(_ body: () throws(QueueFault) -> Void) -> QueueFault? {
    do throws(QueueFault) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func unlessFaulty<Value>(_ body: () throws(QueueFault) -> Value) -> Value? {
    do throws(QueueFault) {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }

  private func note(_ fault: QueueFault) {
    desk.withLock { desk in
      if fault != desk.fault { desk.notices.append(fault.description) }
      if fault.kind != .setAside { desk.fault = fault }
    }
  }
}

extension KeptQueue {
  /// Returns whether `recalled` is this queue, or this queue before its last edit.
  fileprivate func holds(_ recalled: KeptQueue) -> Bool {
    let places = [contents] + undoable.suffix(1).map(\.contents)
    return !recalled.contents.items.isEmpty
      && places.contains { $0.items.elementsEqual(recalled.contents.items, by: ===) }
  }
}
