/// Decides when what happened is told: at the end of a quiet time, or when the first of it is too long ago.
struct Debounce {
  private let quiet: UInt64
  private let longest: UInt64
  private var pending: (first: MonotonicInstant, last: MonotonicInstant)?

  init(_ pace: WatchPace) {
    quiet = pace.quiet.wholeMilliseconds
    longest = pace.longest.wholeMilliseconds
  }

  /// Something happened.
  mutating func note(at now: MonotonicInstant) {
    pending = (pending?.first ?? now, now)
  }

  /// All that happened was told.
  mutating func reset() { pending = nil }

  /// When to tell it; `nil` where nothing happened.
  var deadline: MonotonicInstant? {
    pending.map {
      min($0.last.advanced(byMilliseconds: quiet), $0.first.advanced(byMilliseconds: longest))
    }
  }

  /// Whether the quiet time has passed, so that nothing is left half told.
  func isQuiet(at now: MonotonicInstant) -> Bool {
    pending.map { $0.last.advanced(byMilliseconds: quiet) <= now } ?? true
  }
}
