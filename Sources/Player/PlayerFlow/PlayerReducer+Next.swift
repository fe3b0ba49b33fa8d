// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine

/// The choice of the next item.
extension PlayerReducer {
  /// The item to play next, with its gain and transition.
  private struct NextSource {
    let item: PlayQueue.Item
    let gain: ReplayGainDecision
    let frames: SourceFrames?
    let speed: PlaybackSpeed
    let transition: Transition

    func matches(_ link: SourceChain.Link) -> Bool {
      link.item == item.id && link.path == item.track.path && link.segment == SourceSegment(item.track)
        && link.gain == gain && link.frames == frames && link.speed == speed && link.transition == transition
    }
  }

  /// Gives the engine a new next source if the next item, its gain or its transition has changed.
  mutating func updateNext() {
    restoreEnd()
    var index = 0
    while index < state.plan.chain.links.count {
      let isLast = index == state.plan.chain.links.count - 1
      if isLast, case .notRequested = state.plan.chain.end { return }
      let link = state.plan.chain.links[index]
      var next = nextItem(after: link, state.plan.chain, in: state.queue)
      if let candidate = next {
        // Until that is known, the engine keeps the next source that it has.
        guard let isSeamless = beginsAtBeginning(candidate, after: link.item) else { return }
        if !isSeamless { next = nil }
      }
      var nextSource: NextSource?
      if let next {
        if !isMeasurementKnown(of: next) {
          lookUp(state.plan.chain.links.compactMap { state.queue.item($0.item) } + [next])
        }
        // Until that is known, the engine keeps the next source that it has.
        guard isMeasurementKnown(of: next), let gain = gain(of: next) else { return }
        let last = state.plan.chain.links[...index].last { !$0.isFailed }
        nextSource = NextSource(
          item: next, gain: gain, frames: playedFrames(of: next, after: last.flatMap { state.queue.item($0.item) }),
          speed: speed(of: next), transition: transition(from: last?.item, to: next))
      }
      if isLast, nextSource == nil, case .nothing = state.plan.chain.end { return }
      guard !isLast, let nextSource, nextSource.matches(state.plan.chain.links[index + 1]) else {
        return setNext(after: index, nextSource)
      }
      index += 1
    }
  }

  /// Returns the item of `queue` to play after `link`; `nil` if there is none.
  func nextItem(after link: SourceChain.Link, _ chain: SourceChain, in queue: PlayQueue) -> PlayQueue.Item? {
    guard !state.playback.stops(after: link.item, in: queue) else { return nil }
    // In consume mode, the items played before will have left the queue.
    let queue = queue.modes.consume ? queue.advanced(through: chain.items(through: link)) : queue
    var last = link.item
    var skippedCount = 0
    while let next = queue.successor(of: last) {
      let isFailed = chain.hasFailed(next.id) || state.plan.isGivenUp(next.id)
      // Every candidate has failed since something was last played, or the one item that is repeated has failed.
      if isFailed, link.isFailed || next.id == last { return nil }
      guard isFailed || next.isMissing, next.id != last, skippedCount < PlayQueue.skipLimit else { return next }
      skippedCount += 1
      last = next.id
    }
    return nil
  }

  private func transition(from last: PlayQueue.Item.ID?, to next: PlayQueue.Item) -> Transition {
    // Finding the position of an item may take long in a large queue.
    guard state.playback.crossfade.duration > .zero, let position = last.flatMap({ state.queue.position(of: $0) })
    else {
      return .gapless
    }
    return state.playback.crossfade.transition(from: state.queue.items[position].track, to: next.track)
  }

  private mutating func setNext(after index: Int, _ nextSource: NextSource?) {
    let source = state.plan.chain.links[index].source
    guard let nextSource else {
      state.plan.chain.setNext(after: index, nil)
      return effects.append(.setNext(nil, after: source, .gapless))
    }
    let next = state.plan.source(
      for: nextSource.item, gain: nextSource.gain, frames: nextSource.frames, speed: nextSource.speed)
    state.plan.chain.setNext(
      after: index,
      SourceChain.Link(
        source: next.id, item: nextSource.item.id, path: next.path, segment: next.segment, frames: next.frames,
        gain: nextSource.gain, speed: nextSource.speed, transition: nextSource.transition))
    effects.append(.setNext(next, after: source, nextSource.transition))
  }
}

extension PlayQueue {
  /// Returns the queue as it will be after playback has advanced through these items.
  func advanced(through items: [Item.ID]) -> PlayQueue {
    var queue = self
    for item in items where item != queue.current?.id { queue.reduce(.advanced(to: item)) }
    return queue
  }
}

/// Skipping items whose files are missing.
extension PlayQueue {
  /// The maximum number of missing items that are skipped at once. The item after them is tried even if it is missing,
  /// too. This bounds the time that an action takes, however many items are missing.
  static let skipLimit = 200

  /// Returns the next item in playing order whose file is not missing. If there is none, returns the nearest item.
  func existingItem(after id: Item.ID) -> Item? { existing(from: item(after: id), id) { item(after: $0) } }

  /// Returns the previous item in playing order whose file is not missing. If there is none, returns the nearest item.
  func existingItem(before id: Item.ID) -> Item? { existing(from: item(before: id), id) { item(before: $0) } }

  private func existing(from nearest: Item?, _ id: Item.ID, _ step: (Item.ID) -> Item?) -> Item? {
    var item = nearest
    for _ in 0..<Self.skipLimit {
      guard let candidate = item, candidate.id != id else { break }
      if !candidate.isMissing { return candidate }
      item = step(candidate.id)
    }
    return nearest
  }
}
