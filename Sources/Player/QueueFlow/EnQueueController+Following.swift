import AudioCore
import MusicModel
import PlaybackEngine
import Synchronization

extension EnQueueController {
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

  /// Tells the engine what follows wherever that is something else than it was told, or follows in another way.
  func tellWhatFollows() { course.withLock { tellWhatFollows(&$0) } }

  /// The engine asks what follows `source`; gives whether it still counts.
  func answer(_ source: PlaybackSource.ID) -> Bool {
    course.withLock { course in
      guard course.chain.asked(behind: source) else { return false }
      tellWhatFollows(&course)
      return true
    }
  }

  private func tellWhatFollows(_ course: inout Course) {
    let queue = queue.queue
    let state = playback.state
    var index = 0
    while index < course.chain.links.count {
      let isLast = index == course.chain.links.count - 1
      if isLast, case .unasked = course.chain.end { return }
      let next = item(behind: course.chain.links[index], course.chain, queue, state)
      var follower: Follower?
      if let next {
        if state.replayGain.mode != .off, loudness.tags(of: next.id) == nil { want(next, course, queue) }
        // As long as its loudness is not known, what was said before stands.
        guard let gain = gain(of: next, queue, state) else { return }
        let last = course.chain.links[...index].last { !$0.isFailed }
        follower = Follower(
          item: next, gain: gain, transition: transition(from: last?.item, to: next, queue, state))
      }
      if isLast, follower == nil, case .nothing = course.chain.end { return }
      guard !isLast, let follower, follower.isAlready(course.chain.links[index + 1]) else {
        return tell(&course, behind: index, follower)
      }
      index += 1
    }
  }

  /// The item that is played behind `link`.
  func item(
    behind link: SourceChain.Link, _ chain: SourceChain, _ queue: PlayQueue, _ state: PlaybackState
  ) -> PlayQueue.Item? {
    guard !state.stops(after: link.item, in: queue) else { return nil }
    // What is heard until then has left the queue by then.
    let queue = queue.modes.consume ? queue.advanced(through: chain.items(through: link)) : queue
    var last = link.item
    var passedCount = 0
    while let next = queue.successor(of: last) {
      let isFailed = chain.hasFailed(next.id)
      // All was tried in vain since something was heard last, or the item is to be repeated alone.
      if isFailed, link.isFailed || next.id == last { return nil }
      guard isFailed || next.isGone, next.id != last, passedCount < PlayQueue.passedLimit else { return next }
      passedCount += 1
      last = next.id
    }
    return nil
  }

  private func transition(
    from last: PlayQueue.Item.ID?, to next: PlayQueue.Item, _ queue: PlayQueue, _ state: PlaybackState
  ) -> Transition {
    // Finding an item may take its time in a long queue.
    guard state.crossfade.duration > .zero, let position = last.flatMap({ queue.position(of: $0) }) else {
      return .gapless
    }
    return state.crossfade.transition(from: queue.items[position].track, to: next.track)
  }

  private func tell(_ course: inout Course, behind index: Int, _ follower: Follower?) {
    let source = course.chain.links[index].source
    guard let follower else {
      course.chain.follow(index, with: nil)
      return engine.follow(source, with: nil)
    }
    let next = course.sources.source(for: follower.item, gain: follower.gain)
    course.chain.follow(
      index,
      with: SourceChain.Link(
        source: next.id, item: follower.item.id, segment: next.segment, gain: follower.gain,
        transition: follower.transition))
    engine.follow(source, with: next, follower.transition)
  }

  /// Has the loudness be known of what is in the chain, and of `item`.
  private func want(_ item: PlayQueue.Item, _ course: Course, _ queue: PlayQueue) {
    loudness.want(course.chain.links.compactMap { queue.item($0.item) } + [item])
  }
}
