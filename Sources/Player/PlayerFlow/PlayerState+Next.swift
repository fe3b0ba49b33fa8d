import AudioCore
import MusicModel
import PlaybackEngine

/// What comes next.
extension PlayerState {
  /// What follows a source, and how.
  private struct Follower {
    let item: PlayQueue.Item
    let gain: ReplayGainDecision
    let transition: Transition

    func isAlready(_ link: SourceChain.Link) -> Bool {
      link.item == item.id && link.segment == SourceSegment(item.track) && link.gain == gain
        && link.transition == transition
    }
  }

  /// Gives the engine its next source wherever that differs from the one it has, or joins in another way.
  mutating func updateNext() {
    var index = 0
    while index < plan.chain.links.count {
      let isLast = index == plan.chain.links.count - 1
      if isLast, case .unasked = plan.chain.end { return }
      let next = item(behind: plan.chain.links[index], plan.chain, in: queue)
      var follower: Follower?
      if let next {
        if playback.replayGain.mode != .off, plan.replayGain[next.id] == nil {
          lookUp(plan.chain.links.compactMap { queue.item($0.item) } + [next])
        }
        // As long as its ReplayGain values are not known, the engine keeps the next source that it has.
        guard let gain = gain(of: next) else { return }
        let last = plan.chain.links[...index].last { !$0.isFailed }
        follower = Follower(item: next, gain: gain, transition: transition(from: last?.item, to: next))
      }
      if isLast, follower == nil, case .nothing = plan.chain.end { return }
      guard !isLast, let follower, follower.isAlready(plan.chain.links[index + 1]) else {
        return setNext(behind: index, follower)
      }
      index += 1
    }
  }

  /// The item of `queue` that is played behind `link`.
  func item(behind link: SourceChain.Link, _ chain: SourceChain, in queue: PlayQueue) -> PlayQueue.Item? {
    guard !playback.stops(after: link.item, in: queue) else { return nil }
    // What is heard until then has left the queue by then.
    let queue = queue.modes.consume ? queue.advanced(through: chain.items(through: link)) : queue
    var last = link.item
    var passedCount = 0
    while let next = queue.successor(of: last) {
      let isFailed = chain.hasFailed(next.id)
      // All was tried in vain since something was heard last, or the item is to be repeated alone.
      if isFailed, link.isFailed || next.id == last { return nil }
      guard isFailed || next.isMissing, next.id != last, passedCount < PlayQueue.passedLimit else { return next }
      passedCount += 1
      last = next.id
    }
    return nil
  }

  private func transition(from last: PlayQueue.Item.ID?, to next: PlayQueue.Item) -> Transition {
    // Finding an item may take its time in a long queue.
    guard playback.crossfade.duration > .zero, let position = last.flatMap({ queue.position(of: $0) }) else {
      return .gapless
    }
    return playback.crossfade.transition(from: queue.items[position].track, to: next.track)
  }

  private mutating func setNext(behind index: Int, _ follower: Follower?) {
    let source = plan.chain.links[index].source
    guard let follower else {
      plan.chain.follow(index, with: nil)
      return effects.append(.setNext(nil, after: source, .gapless))
    }
    let next = plan.source(for: follower.item, gain: follower.gain)
    plan.chain.follow(
      index,
      with: SourceChain.Link(
        source: next.id, item: follower.item.id, segment: next.segment, gain: follower.gain,
        transition: follower.transition))
    effects.append(.setNext(next, after: source, follower.transition))
  }
}

extension PlayQueue {
  /// The queue when playing has gone on through these items, one after the other.
  func advanced(through items: [Item.ID]) -> PlayQueue {
    var queue = self
    for item in items where item != queue.current?.id { queue.reduce(.advanced(to: item)) }
    return queue
  }
}

/// Passing over the items whose files are gone.
extension PlayQueue {
  /// How many of them are passed over at once; the one behind them is tried, gone or not: so no action takes long,
  /// however many there are.
  static let passedLimit = 200

  /// The item behind the one with this id in playing order that is not gone, or else the nearest.
  func presentItem(after id: Item.ID) -> Item? { present(from: item(after: id), id) { item(after: $0) } }

  /// The item before the one with this id in playing order that is not gone, or else the nearest.
  func presentItem(before id: Item.ID) -> Item? { present(from: item(before: id), id) { item(before: $0) } }

  private func present(from nearest: Item?, _ id: Item.ID, _ step: (Item.ID) -> Item?) -> Item? {
    var item = nearest
    for _ in 0..<Self.passedLimit {
      guard let candidate = item, candidate.id != id else { break }
      if !candidate.isMissing { return candidate }
      item = step(candidate.id)
    }
    return nearest
  }
}
