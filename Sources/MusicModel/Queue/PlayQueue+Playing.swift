extension PlayQueue {
  mutating func play(_ id: UInt64, _ from: Duration) {
    guard contents.items.index(of: id) != nil else { return }
    if contents.current != id { bringForward(id) }
    contents.current = id
    contents.heard = max(.zero, from)
  }

  mutating func goOn(to id: UInt64, isByHand: Bool) {
    guard contents.items.index(of: id) != nil else { return }
    if !isByHand, modes.single == .once { modes.single = .off }
    leaveCurrent(for: id)
  }

  mutating func finish() {
    guard let current = contents.current else { return }
    let next = item(after: Item.ID(rawValue: current))?.id.rawValue
    modes.stopAfter = nil
    if modes.single == .once { modes.single = .off }
    leaveCurrent(for: modes.consume && next == current ? nil : next)
  }

  private mutating func leaveCurrent(for id: UInt64?) {
    let left = contents.current
    let wasLast = left != nil && left == last
    contents.current = id
    contents.heard = .zero
    guard let left, left != id else { return }
    if modes.consume, let position = contents.items.index(of: left) { remove([position..<(position + 1)]) }
    if wasLast, id != nil, modes.repeat == .all, modes.random != .off { makeOrder(keepsNext: false) }
  }

  mutating func setRandom(_ mode: QueueModes.Random, _ seed: UInt64) {
    modes.random = mode
    random = QueueRandom(seed: seed)
    makeOrder()
  }
}
