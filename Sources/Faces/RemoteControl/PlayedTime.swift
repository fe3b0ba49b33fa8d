import Flux
import Platform
import QueueFlow
import Synchronization

/// For how long something was heard since this was made: pauses, and the time that opening and seeking take, do not
/// count.
final class PlayedTime: Sendable {
  private struct Sum {
    var past = Duration.zero
    /// Since when something is heard; `nil` while nothing is.
    var start: MonotonicInstant?

    func total(_ now: MonotonicInstant) -> Duration {
      guard let start, now > start else { return past }
      return past + .nanoseconds(Int64(clamping: now.nanoseconds - start.nanoseconds))
    }
  }

  private let clock: any MonotonicClock
  private let sum: Shared<Sum>
  private let subscription: Subscription

  /// The time in which `playback` says from now on that something is heard.
  init(_ playback: PlaybackStore, clock: any MonotonicClock = SystemClock()) {
    let sum = Shared(Sum())
    self.clock = clock
    self.sum = sum
    subscription = playback.observe { state in
      let now = clock.now
      sum.value.withLock { sum in
        sum.past = sum.total(now)
        sum.start = state.isHeard ? now : nil
      }
    }
  }

  /// The time until now. From any thread.
  var total: Duration { sum.value.withLock { $0.total(clock.now) } }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
