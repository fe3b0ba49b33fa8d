import MusicModel
import Testing

extension NaiveQueue {
  mutating func play(_ action: QueueAction, _ queue: PlayQueue) {
    switch action {
    case .undo(let steps):
      for _ in 0..<max(0, min(steps, undoable.count)) {
        guard let step = undoable.popLast() else { return }
        redoable.append((step.name, contents))
        restore(step.contents, queue)
      }
    case .redo(let steps):
      for _ in 0..<max(0, min(steps, redoable.count)) {
        guard let step = redoable.popLast() else { return }
        undoable.append((step.name, contents))
        restore(step.contents, queue)
      }
    case .setRepeat(let mode): modes.repeat = mode
    case .setSingle(let mode): modes.single = mode
    case .setConsume(let isOn, let once): (modes.consume, modes.consumesOnce) = (isOn, isOn && once)
    case .stopAfter(let point): modes.stopAfter = point
    case .setRandom(let mode, _):
      modes.random = mode
      takeNewOrder(queue)
    case .heard(let duration): if contents.current != nil { contents.heard = duration }
    case .play(let id, let from):
      guard ids.contains(id.rawValue) else { return }
      if id.rawValue != contents.current { takeOrderBroughtForward(queue, id.rawValue) }
      contents.current = id.rawValue
      contents.heard = from
      spendPriority()
    case .skipped(let id), .advanced(let id), .waiting(let id):
      guard ids.contains(id.rawValue) else { return }
      if case .waiting = action, modes.single == .once { modes.single = .off }
      goOn(to: id.rawValue, queue)
      spendPriority()
    case .finished:
      guard let current = contents.current else { return }
      let wraps = order.last == current && modes.repeat == .all && modes.random != .off
      // By chance: what the queue has made current is checked to be another one, where there are others.
      var next = wraps ? queue.current?.id.rawValue : after(current)
      if wraps, ids.count > 1 { #expect(next != nil && next != current) }
      if wraps, ids.count == 1, !modes.consume { next = current }
      modes.stopAfter = nil
      goOn(to: modes.consume && next == current ? nil : next, queue)
    case .availability(let gone, let back):
      for index in contents.items.indices
      where gone.contains(where: { $0.rawValue == contents.items[index].id }) {
        contents.items[index].isGone = true
      }
      for index in contents.items.indices
      where back.contains(where: { $0.rawValue == contents.items[index].id }) {
        contents.items[index].isGone = false
      }
    default: break
    }
  }

  private mutating func spendPriority() {
    for index in contents.items.indices where contents.items[index].id == contents.current {
      contents.items[index].priority = 0
    }
  }

  private mutating func goOn(to id: UInt64?, _ queue: PlayQueue) {
    let left = contents.current
    let wraps = left != nil && order.last == left && modes.repeat == .all && modes.random != .off
    contents.current = id
    contents.heard = .zero
    guard let left, left != id else { return }
    if modes.consume, let index = ids.firstIndex(of: left) {
      take(out: [index])
      if modes.consumesOnce { (modes.consume, modes.consumesOnce) = (false, false) }
    }
    if wraps, id != nil { takeNewOrder(queue, keepsNext: false) }
  }

  private mutating func restore(_ restored: Contents, _ queue: PlayQueue) {
    let (current, heard) = (contents.current, contents.heard)
    contents = restored
    if let current, ids.contains(current) { (contents.current, contents.heard) = (current, heard) }
    if contents.random != modes.random { takeNewOrder(queue) }
  }
}
