public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// When playing is to stop by itself, and how long it fades out before.
public struct SleepTimer: Sendable, Hashable {
  /// When.
  public enum End: Sendable, Hashable {
    /// At this moment.
    case at(MonotonicInstant)
    /// When the track that plays then has ended.
    case afterTrack
    /// When the album that plays then has ended.
    case afterAlbum
    /// When the queue has ended.
    case afterQueue
  }

  /// How long it fades out, unless something else is asked for.
  public static let usualFade = Duration.seconds(10)

  /// When.
  public let end: End
  /// How long it fades out before the end.
  public let fade: Duration

  /// A timer with these properties; a negative fade counts as none.
  public init(_ end: End, fade: Duration = SleepTimer.usualFade) {
    self.end = end
    self.fade = max(.zero, fade)
  }
}

extension PlaybackState {
  /// Whether the sleep timer has playing end with this item of `queue`.
  func stops(after item: PlayQueue.Item.ID, in queue: PlayQueue) -> Bool {
    switch sleep?.end {
    case nil, .at, .afterQueue: return false
    case .afterTrack: return true
    case .afterAlbum:
      guard let position = queue.position(of: item), let next = queue.successor(of: item) else { return true }
      return !queue.items[position].track.isContinued(by: next.track)
    }
  }

  /// How long it takes until the sleep timer ends playing, as far as that is known at `now`, when so much of the item
  /// has been `heard`: by default, ``position``.
  public func timeToSleep(in queue: PlayQueue, at now: MonotonicInstant, heard: Duration? = nil) -> Duration? {
    guard let sleep else { return nil }
    if case .at(let end) = sleep.end {
      return .nanoseconds(Int64(clamping: end > now ? end.nanoseconds - now.nanoseconds : 0))
    }
    guard phase == .playing, let item, let duration else { return nil }
    let isLast = sleep.end == .afterQueue ? queue.successor(of: item) == nil : stops(after: item, in: queue)
    return isLast ? max(.zero, duration - (heard ?? position)) : nil
  }
}

/// Ends playing when the sleep timer says so, and fades it out before. It acts as a listener would: by actions.
///
/// Its thread sleeps as long as no timer is set.
public final class SleepController: Sendable {
  private let work: SleepWork
  private let subscription: Subscription

  /// A controller that follows both stores and dispatches to `dispatcher`.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher,
    clock: any MonotonicClock = SystemClock()
  ) throws(Errno) {
    let work = SleepWork(queue: queue, playback: playback, dispatcher: dispatcher, clock: clock)
    self.work = work
    try work.worker.start { work.step() }
    subscription = playback.observe { work.follow($0) }
  }

  deinit { work.worker.close() }
}

/// What the controller's thread works on.
private final class SleepWork: Sendable {
  struct Desk {
    var timer: SleepTimer?
    var isPlaying = false
    /// Whether the fade has begun.
    var isFading = false
  }

  private let queue: QueueListener
  private let playback: PlaybackStore
  private let dispatcher: QueueDispatcher
  private let clock: any MonotonicClock
  let worker: Worker<Desk>

  init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher, clock: any MonotonicClock
  ) {
    self.queue = queue
    self.playback = playback
    self.dispatcher = dispatcher
    self.clock = clock
    worker = Worker(named: "segue-sleep", Desk(), clock: clock)
  }

  /// Takes notice of a new state.
  func follow(_ state: PlaybackState) {
    let isNews = worker.withPending { desk in
      // What an item's end is reckoned from changes with each position; the thread looks at it by itself.
      let isPlaying = state.phase == .playing
      let isNews = desk.timer != state.sleep || state.sleep != nil && desk.isPlaying != isPlaying
      if desk.timer != state.sleep { desk.isFading = false }
      desk.timer = state.sleep
      desk.isPlaying = isPlaying
      return isNews
    }
    if isNews { worker.wake() }
  }

  /// Does what is due, and gives when to look again, if ever.
  func step() -> MonotonicInstant? {
    let state = playback.state
    guard let timer = state.sleep else { return nil }
    let now = clock.now
    let heard = state.item.flatMap { playback.heard(of: $0) }
    guard let left = state.timeToSleep(in: queue.queue, at: now, heard: heard) else {
      endFade(state)
      return state.phase == .playing ? now.advanced(byMilliseconds: 500) : nil
    }
    if case .at = timer.end, left <= .zero {
      dispatcher.dispatch(state.phase == .stopped ? PlaybackAction.sleep(nil) : .stop(rewinds: false))
      return nil
    }
    if left <= timer.fade {
      guard state.phase == .playing else { return now.advanced(by: left) }
      let isFirst = worker.withPending { desk in
        defer { desk.isFading = true }
        return !desk.isFading
      }
      if case .at = timer.end {
        if isFirst { dispatcher.dispatch(.fadeOut(left)) }
        return now.advanced(by: left)
      }
      // It is heard when the device has played what it holds, and the track ends with what is written last.
      let latency = state.output?.latency ?? .zero
      if isFirst { dispatcher.dispatch(.fadeOut(max(.milliseconds(10), left - latency))) }
      // The track may be left or sought in meanwhile.
      return now.advanced(by: max(.milliseconds(1), min(left, .milliseconds(500))))
    }
    endFade(state)
    let pause = left - timer.fade
    if case .at = timer.end { return now.advanced(by: pause) }
    return now.advanced(by: min(pause, .milliseconds(500)))
  }

  /// The end is no longer near: what had begun to fade is as loud again as it was.
  private func endFade(_ state: PlaybackState) {
    let hadBegun = worker.withPending { desk in
      defer { desk.isFading = false }
      return desk.isFading
    }
    if hadBegun { dispatcher.dispatch(.setVolume(state.volume)) }
  }
}

extension MonotonicInstant {
  /// The moment so much later, at least a millisecond.
  fileprivate func advanced(by duration: Duration) -> MonotonicInstant {
    advanced(byMilliseconds: max(1, duration.wholeMilliseconds))
  }
}
