import TestSupport
import Testing

/// Calls `body`, which judges by the clock, and again where it finds fault on a machine that did not keep time: five times in
/// all. A fault on a machine that kept time counts at once, and so does any at the fifth time.
func inTime(_ place: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws {
  for time in 1...5 {
    let witness = try TimeWitness()
    let isExcused = Watched(false)
    try withKnownIssue("the machine did not keep time", isIntermittent: true, sourceLocation: place) {
      try body()
    } when: {
      time < 5
    } matching: { _ in
      guard witness.hasLostTime else { return false }
      isExcused.change { $0 = true }
      return true
    }
    guard isExcused.value else { return }
    print("\(place): tried again: a thread was woken \(witness.lateness) ms late")
  }
}
