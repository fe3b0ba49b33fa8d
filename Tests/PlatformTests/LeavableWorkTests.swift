import Platform
import TestSupport
import Testing

@Suite struct LeavableWorkTests {
  @Test func `What ends gives its value`() {
    #expect(LeavableWork.value(patience: 60_000) { _ in 7 } == 7)
  }

  @Test func `What is held up is left, and told so`() {
    let gate = Gate()
    let wasLeft = Watched<Bool?>(nil)
    let value = LeavableWork.value(patience: 20) { pulse in
      gate.pass()
      wasLeft.change { $0 = pulse.isLeft }
      return 7
    }
    #expect(value == nil)
    gate.open()
    #expect(wasLeft.wait { $0 == true })
  }
}

extension ProgramLane {
  /// What takes its time.
  @Suite struct LeavableWorkPulseTests {
    @Test func `What takes long gives its value while its pulse beats`() {
      let value = LeavableWork.value(patience: 500) { pulse in
        for _ in 0..<60 {
          pulse.beat()
          MonotonicInstant.now.advanced(byMilliseconds: 20).sleep()
        }
        return pulse.isLeft
      }
      #expect(value == false)
    }
  }
}
