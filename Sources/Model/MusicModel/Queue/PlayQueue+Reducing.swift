// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  /// Applies an action. An action that does not apply, such as one with an unknown ID, changes nothing.
  public mutating func reduce(_ action: QueueAction) {
    let before = self
    apply(action)
    currentPosition = contents.current.flatMap { position(of: Item.ID(rawValue: $0)) }
    guard hasChanged(since: before) else { return }
    version += 1
    if case .swap(let one, let other) = action {
      for range in positions(.items([one, other])) { log.append(range, version: version) }
    } else if let positions = before.contents.items.difference(contents.items) {
      log.append(positions, version: version)
    }
  }

  private func hasChanged(since before: PlayQueue) -> Bool {
    name != before.name || contents.current != before.contents.current || modes != before.modes
      || lastID != before.lastID
      || undoSteps.count != before.undoSteps.count || redoSteps.count != before.redoSteps.count
      || undoSteps.last?.name != before.undoSteps.last?.name || restoreState.isOver != before.restoreState.isOver
      || lastScan != before.lastScan || contents.differs(from: before.contents)
  }

  private mutating func apply(_ action: QueueAction) {
    switch action {
    case .enqueue(let collection, let item): load(collection, item)
    case .add(let collection, let point): add(collection, point)
    case .refill(let collection): add(collection, .end, isRefill: true)
    case .remove(let selection): remove(selection)
    case .move(let selection, let position): move(selection, to: position)
    case .swap(let one, let other): swap(one, other)
    case .clear: clear()
    case .crop(let selection): crop(selection)
    case .dedupe: dedupe()
    case .shuffle(let selection, let unit, let seed, let first): shuffle(selection, unit, seed, first: first)
    case .sort(let selection, let key, let descending): sort(selection, key, descending)
    case .prioritise(let selection, let priority): prioritise(selection, priority)
    case .setRange(let id, let start, let end): setRange(id.rawValue, start, end)
    case .undo(let steps): undo(steps)
    case .redo(let steps): redo(steps)
    case .setRepeat(let mode): modes.repeat = mode
    case .setRandom(let mode, let seed): setRandom(mode, seed)
    case .setSingle(let mode): modes.single = mode
    case .setConsume(let isOn, let once): (modes.consume, modes.consumesOnce) = (isOn, isOn && once)
    case .stopAfter(let point): modes.stopAfter = point
    case .setKeepPlaying(let music): modes.keepPlaying = music
    case .play(let id, let from): play(id.rawValue, from)
    case .skipped(let id), .advanced(let id): advance(to: id.rawValue)
    case .paused(let id): pause(before: id.rawValue)
    case .finished: finish()
    case .elapsed(let duration): if contents.current != nil { contents.elapsed = max(.zero, duration) }
    case .availability(let missing, let found): setAvailability(missing, found)
    case .moved(let moves): follow(moves)
    case .started(let modes, let seed, let lastID, let lastScan, let name):
      self.name = name
      open(modes, seed, lastID, lastScan)
    case .restored(let stored): restore(stored)
    case .use(let name, let stored): use(name, stored)
    case .forget(let name): left[name] = nil
    }
  }
}

extension PlayQueue {
  mutating func play(_ id: UInt64, _ from: Duration) {
    guard contents.items.index(of: id) != nil else { return }
    if contents.current != id { bringForward(id) }
    contents.current = id
    contents.elapsed = max(.zero, from)
    resetPriority(of: id)
  }

  mutating func advance(to id: UInt64) {
    guard contents.items.index(of: id) != nil else { return }
    leaveCurrent(for: id)
    resetPriority(of: id)
  }

  mutating func pause(before id: UInt64) {
    guard contents.items.index(of: id) != nil else { return }
    if modes.single == .once { modes.single = .off }
    leaveCurrent(for: id)
    resetPriority(of: id)
  }

  /// Resets the priority of an item to 0, when it begins to play.
  private mutating func resetPriority(of id: UInt64) {
    guard let position = contents.items.index(of: id), contents.items[position].priority > 0 else { return }
    contents.items = contents.items.changing([position]) { $0.priority = 0 }
  }

  mutating func finish() {
    guard let current = contents.current else { return }
    let next = item(after: Item.ID(rawValue: current))?.id.rawValue
    modes.stopAfter = nil
    leaveCurrent(for: modes.consume && next == current ? nil : next)
  }

  private mutating func leaveCurrent(for id: UInt64?) {
    let previous = contents.current
    let wasLast = previous != nil && previous == last
    contents.current = id
    contents.elapsed = .zero
    guard let previous, previous != id else { return }
    if modes.consume, let position = contents.items.index(of: previous) {
      remove([position..<(position + 1)])
      if modes.consumesOnce { (modes.consume, modes.consumesOnce) = (false, false) }
    }
    if wasLast, id != nil, modes.repeat == .all, modes.random != .off { makeOrder(keepsNext: false) }
  }

  mutating func setRandom(_ mode: QueueModes.Random, _ seed: UInt64) {
    modes.random = mode
    random = QueueRandom(seed: seed)
    makeOrder()
  }
}
