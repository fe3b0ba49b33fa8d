// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// A timer that stops playback, and fades it out before that.
public struct SleepTimer: Sendable, Hashable {
  /// The event that stops playback.
  public enum End: Sendable, Hashable {
    case at(MonotonicInstant)
    /// Playback stops at the end of the current chapter, or of a later one if the user skips it; in a track without
    /// chapters, as with ``afterTrack``.
    case afterChapter
    /// Playback stops at the end of the current track, or of a later one if the user skips it.
    case afterTrack
    /// Playback stops at the end of the current album, or of a later one if the user skips it.
    case afterAlbum
    /// Playback stops after the last track of the queue.
    case afterQueue
  }

  /// The default length of the fade.
  public static let defaultFade = Duration.seconds(10)

  /// The event that stops playback.
  public let end: End
  /// The length of the fade before the end.
  public let fade: Duration

  /// Creates a timer. A negative fade counts as none.
  public init(_ end: End, fade: Duration = SleepTimer.defaultFade) {
    self.end = end
    self.fade = max(.zero, fade)
  }
}

extension PlaybackState {
  func stops(after item: PlayQueue.Item.ID, in queue: PlayQueue) -> Bool {
    switch sleep?.end {
    case nil, .at, .afterQueue: return false
    // A chapter ends with its track at the latest.
    case .afterTrack, .afterChapter: return true
    case .afterAlbum:
      guard let position = queue.position(of: item), let next = queue.successor(of: item) else { return true }
      return !queue.items[position].track.isContinued(by: next.track)
    }
  }

  /// Returns the time from `now` until the sleep timer stops playback; `nil` if there is no timer, or the time is not
  /// known. `elapsed` is the elapsed time of the item; if it is `nil`, ``position`` is used.
  public func timeToSleep(in queue: PlayQueue, at now: MonotonicInstant, elapsed: Duration? = nil) -> Duration? {
    guard let sleep else { return nil }
    if case .at(let end) = sleep.end {
      return .nanoseconds(Int64(clamping: end > now ? end.nanoseconds - now.nanoseconds : 0))
    }
    let elapsed = elapsed ?? position
    guard phase == .playing, let item, let end = chapterToSleepAfter(elapsed: elapsed) ?? duration else { return nil }
    let isLast = sleep.end == .afterQueue ? queue.successor(of: item) == nil : stops(after: item, in: queue)
    return isLast ? playedSpeed.time(for: max(.zero, end - elapsed)) : nil
  }

  /// The end of the chapter after which the sleep timer stops playback, if that is before the end of the track;
  /// otherwise `nil`.
  func chapterToSleepAfter(elapsed: Duration) -> Duration? {
    sleep?.end == .afterChapter ? chapters.end(at: elapsed) : nil
  }
}

/// Stops playback when the sleep timer expires, and fades it out before that, by dispatching the same actions as a
/// user's commands.
///
/// Its thread sleeps while no timer is set.
public final class SleepController: Sendable {
  private let work: SleepWork
  private let subscription: Subscription

  /// Creates a controller that observes both stores and dispatches to `dispatcher`.
  ///
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher,
    clock: any MonotonicClock = SystemClock()
  ) throws(Errno) {
    let work = SleepWork(queue: queue, playback: playback, dispatcher: dispatcher, clock: clock)
    self.work = work
    try work.worker.start { work.step() }
    subscription = playback.observe { work.receive($0) }
  }

  deinit { work.worker.close() }
}

/// The work of the sleep controller's thread.
private final class SleepWork: Sendable {
  struct Pending {
    var timer: SleepTimer?
    var isPlaying = false
    var isFading = false
    /// The end of a chapter at which playback stops; `nil` if there is none.
    var chapterEnd: ChapterEnd?
  }

  /// The end of a chapter that is playing, after the last seek.
  struct ChapterEnd {
    let item: PlayQueue.Item.ID?
    let seekCount: UInt64
    let position: Duration
  }

  private let queue: QueueListener
  private let playback: PlaybackStore
  private let dispatcher: QueueDispatcher
  private let clock: any MonotonicClock
  let worker: Worker<Pending>

  init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher, clock: any MonotonicClock
  ) {
    self.queue = queue
    self.playback = playback
    self.dispatcher = dispatcher
    self.clock = clock
    worker = Worker(named: "segue-sleep", Pending(), clock: clock)
  }

  func receive(_ state: PlaybackState) {
    let isChanged = worker.withPending { pending in
      // The remaining time changes with every position; the thread checks it by itself.
      let isPlaying = state.phase == .playing
      let isChanged = pending.timer != state.sleep || state.sleep != nil && pending.isPlaying != isPlaying
      if pending.timer != state.sleep { pending.isFading = false }
      pending.timer = state.sleep
      pending.isPlaying = isPlaying
      return isChanged
    }
    if isChanged { worker.wake() }
  }

  /// Performs the fade or the stop if it is due. Returns when to check again, or `nil` to wait for a change.
  func step() -> MonotonicInstant? {
    let state = playback.state
    guard let timer = state.sleep else { return nil }
    let now = clock.now
    let elapsed = state.item.flatMap { playback.elapsed(of: $0) }
    guard let remaining = state.timeToSleep(in: queue.queue, at: now, elapsed: elapsed) else {
      endFade(state)
      return state.phase == .playing ? now.advanced(byMilliseconds: 500) : nil
    }
    if case .at = timer.end, remaining <= .zero {
      dispatcher.dispatch(state.phase == .stopped ? PlaybackAction.sleep(nil) : .stop(rewinds: false))
      return nil
    }
    let position = elapsed ?? state.position
    if hasReachedChapterEnd(state, position) {
      dispatcher.dispatch(.stop(rewinds: false))
      return nil
    }
    if remaining <= timer.fade {
      guard state.phase == .playing else { return now.advanced(by: remaining) }
      let isFirst = worker.withPending { pending in
        defer { pending.isFading = true }
        return !pending.isFading
      }
      if case .at = timer.end {
        if isFirst { dispatcher.dispatch(.fadeOut(remaining)) }
        return now.advanced(by: remaining)
      }
      if state.chapterToSleepAfter(elapsed: position) != nil {
        if isFirst { dispatcher.dispatch(.fadeOut(remaining)) }
        // The user may go to another chapter meanwhile.
        return now.advanced(by: min(remaining, .milliseconds(500)))
      }
      // A change of volume becomes audible only after the device's latency, and the track ends with the last sample
      // written.
      let latency = state.output?.latency ?? .zero
      if isFirst { dispatcher.dispatch(.fadeOut(max(.milliseconds(10), remaining - latency))) }
      // The user may skip the track or seek in it meanwhile.
      return now.advanced(by: max(.milliseconds(1), min(remaining, .milliseconds(500))))
    }
    endFade(state)
    let delay = remaining - timer.fade
    if case .at = timer.end { return now.advanced(by: delay) }
    return now.advanced(by: min(delay, .milliseconds(500)))
  }

  /// Returns whether the chapter that was playing has been played to its end, and notes the end of the present one.
  private func hasReachedChapterEnd(_ state: PlaybackState, _ position: Duration) -> Bool {
    let end = state.chapterToSleepAfter(elapsed: position).map {
      ChapterEnd(item: state.item, seekCount: state.seekCount, position: $0)
    }
    let last = worker.withPending { pending in
      defer { pending.chapterEnd = end }
      return pending.chapterEnd
    }
    guard let last, state.sleep?.end == .afterChapter, last.item == state.item, last.seekCount == state.seekCount else {
      return false
    }
    // In its last milliseconds, the next chapter counts as begun.
    return position + .milliseconds(2) >= last.position
  }

  /// Restores the volume if a fade has started but the end is no longer near.
  private func endFade(_ state: PlaybackState) {
    let wasFading = worker.withPending { pending in
      defer { pending.isFading = false }
      return pending.isFading
    }
    if wasFading { dispatcher.dispatch(.setVolume(state.volume)) }
  }
}

extension MonotonicInstant {
  /// Returns the instant `duration` later, but at least a millisecond later.
  fileprivate func advanced(by duration: Duration) -> MonotonicInstant {
    advanced(byMilliseconds: max(1, duration.wholeMilliseconds))
  }
}
