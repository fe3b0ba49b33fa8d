import Platform
import TestSupport
import Testing

extension ProgramLane {
  @Suite struct SystemClockTests {
    private let clock = SystemClock()
    private let signal = ThreadSignal()

    @Test func `a wake-up that was given before ends a wait without a deadline`() {
      signal.wake()
      clock.wait(for: signal, until: nil)
    }

    @Test func `a deadline that has come is not waited for, and one that comes ends the wait`() {
      let begin = clock.now
      clock.wait(for: signal, until: begin)
      let deadline = begin.advanced(byMilliseconds: 2)
      clock.wait(for: signal, until: deadline)
      #expect(clock.now >= deadline)
    }
  }
}
