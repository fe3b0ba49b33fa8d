import Testing

@testable import Platform

struct DebounceTests {
  private func at(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `What happened is told after a quiet time`() {
    var debounce = Debounce(WatchPace(quiet: .milliseconds(500), longest: .seconds(5)))
    #expect(debounce.deadline == nil)
    debounce.note(at: at(1000))
    #expect(debounce.deadline == at(1500))
    debounce.note(at: at(1400))
    #expect(debounce.deadline == at(1900))
    #expect(!debounce.isQuiet(at: at(1899)))
    #expect(debounce.isQuiet(at: at(1900)))
    debounce.reset()
    #expect(debounce.deadline == nil)
  }

  @Test func `It waits no longer than it may`() {
    var debounce = Debounce(WatchPace(quiet: .milliseconds(500), longest: .seconds(5)))
    for moment in stride(from: UInt64(0), through: 4900, by: 100) { debounce.note(at: at(moment)) }
    #expect(debounce.deadline == at(5000))
    #expect(!debounce.isQuiet(at: at(5000)))
  }
}
