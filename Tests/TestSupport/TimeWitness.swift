public import Platform
import Synchronization

/// Watches whether the machine keeps time: whether threads that sleep are woken when they asked to be.
///
/// As many as there are processors, up to four, sleep a few milliseconds at a time. What lets one of them lie, as a program
/// that takes its processor, or a host that takes the machine's, keeps a player or a sound server waiting, too.
public final class TimeWitness: Sendable {
  /// How late a thread may be woken on a machine that keeps time, in milliseconds.
  public static let tolerance = 10.0

  private static let pause: UInt64 = 4
  private static let count = min(4, ProcessorCount.available)

  private let watches: [Watch]

  /// Begins to watch.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init() throws {
    watches = (0..<Self.count).map { _ in Watch() }
    for watch in watches {
      _ = try WorkerThread(name: "time-witness") { watch.run(pausing: Self.pause) }
    }
  }

  deinit { for watch in watches { watch.isOver.store(true, ordering: .relaxed) } }

  /// How late a thread was woken so far, in milliseconds: the worst of all.
  public var lateness: Double { watches.map(\.lateness).max() ?? 0 }

  /// Whether the machine has let a thread lie for longer than it may.
  public var hasLostTime: Bool { lateness > Self.tolerance }

  /// Whether at most so many milliseconds have passed since `start`; ten times as many, where the machine has not kept time.
  public func isTimely(_ milliseconds: UInt64, since start: MonotonicInstant) -> Bool {
    let now = MonotonicInstant.now
    return now < start.advanced(byMilliseconds: hasLostTime ? 10 * milliseconds : milliseconds)
  }
}

/// What one of the threads has seen.
private final class Watch: Sendable {
  let isOver = Atomic(false)
  /// When it asked to be woken, in nanoseconds.
  private let due = Atomic(MonotonicInstant.now.nanoseconds)
  private let worst = Atomic<UInt64>(0)

  func run(pausing milliseconds: UInt64) {
    while !isOver.load(ordering: .relaxed) {
      let moment = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
      due.store(moment.nanoseconds, ordering: .relaxed)
      moment.sleep()
      worst.max(Self.delay(since: moment.nanoseconds), ordering: .relaxed)
    }
  }

  /// In milliseconds; counts that it has not been woken yet.
  var lateness: Double {
    let present = Self.delay(since: due.load(ordering: .relaxed))
    return Double(max(present, worst.load(ordering: .relaxed))) / 1e6
  }

  private static func delay(since moment: UInt64) -> UInt64 {
    let now = MonotonicInstant.now.nanoseconds
    return now > moment ? now - moment : 0
  }
}
