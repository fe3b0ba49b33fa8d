/// Counts the attempts to open a device that went, and says when to try again.
struct Outage: Sendable, Equatable {
  /// How long to wait before each attempt; before every later one, as long as before the last.
  private static let pauses: [Duration] = [
    .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600), .milliseconds(3200),
    .seconds(5),
  ]

  private var attempts = 0

  /// How long to wait before the next attempt.
  mutating func nextPause() -> Duration {
    defer { attempts += 1 }
    return Self.pauses[min(attempts, Self.pauses.count - 1)]
  }
}
