extension PlayQueue {
  mutating func play(_ id: UInt64, _ from: Duration) {
    guard contents.items.index(of: id) != nil else { return }
    if contents.current != id { bringForward(id) }
    makeCurrent(id)
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
    makeCurrent(id)
    contents.heard = .zero
    guard let left, left != id else { return }
    if modes.consume, let position = contents.items.index(of: left) { remove([position..<(position + 1)]) }
    if wasLast, id != nil, modes.repeat == .all, modes.random != .off { makeOrder(keepsNext: false) }
  }

  /// Makes the item current; what was put behind another to be played next is played now.
  private mutating func makeCurrent(_ id: UInt64?) {
    contents.current = id
    guard let id, let position = contents.items.index(of: id) else { return }
    contents.items = contents.items.changing(CollectionOfOne(position)) { $0.isNext = false }
  }

  mutating func setRandom(_ mode: QueueModes.Random, _ seed: UInt64) {
    modes.random = mode
    random = QueueRandom(seed: seed)
    makeOrder()
  }
}
