import Platform
import TestSupport
import Testing

@Suite struct MonotonicInstantTests {
  @Test func `a moment too late for its type is the last one`() {
    let last = MonotonicInstant(nanoseconds: .max)
    #expect(MonotonicInstant(nanoseconds: 5).advanced(byMilliseconds: .max) == last)
    #expect(MonotonicInstant(nanoseconds: .max - 1).advanced(byMilliseconds: 1) == last)
    #expect(MonotonicInstant(nanoseconds: 5).advanced(byMilliseconds: 2).nanoseconds == 2_000_005)
  }
}

extension ProgramLane {
  /// The clock itself, whose time passes.
  @Suite struct MonotonicTimeTests {
    @Test func `the clock never goes back`() {
      let moments = (0..<1000).map { _ in MonotonicInstant.now }
      #expect(moments == moments.sorted())
    }

    @Test func `sleeping ends not before its moment, and at once where it is past`() {
      let moment = MonotonicInstant.now.advanced(byMilliseconds: 15)
      moment.sleep()
      #expect(MonotonicInstant.now >= moment)
      MonotonicInstant(nanoseconds: 0).sleep()
    }
  }
}
