extension PlayQueue {
  mutating func play(_ id: UInt64, _ from: Duration) {
    guard contents.items.index(of: id) != nil else { return }
    if contents.current != id { bringForward(id) }
    contents.current = id
    contents.heard = max(.zero, from)
    spendPriority(of: id)
  }

  mutating func goOn(to id: UInt64) {
    guard contents.items.index(of: id) != nil else { return }
    leaveCurrent(for: id)
    spendPriority(of: id)
  }

  mutating func wait(before id: UInt64) {
    guard contents.items.index(of: id) != nil else { return }
    if modes.single == .once { modes.single = .off }
    leaveCurrent(for: id)
    spendPriority(of: id)
  }

  /// What begins has come before others, and is one of many from now on.
  private mutating func spendPriority(of id: UInt64) {
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
    let left = contents.current
    let wasLast = left != nil && left == last
    contents.current = id
    contents.heard = .zero
    guard let left, left != id else { return }
    if modes.consume, let position = contents.items.index(of: left) {
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
