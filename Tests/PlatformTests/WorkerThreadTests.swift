// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

@Suite struct WorkerThreadTests {
  /// An instant that is later than any wait may take.
  private var soon: MonotonicInstant { MonotonicInstant.now.advanced(byMilliseconds: 60_000) }

  @Test func `a thread that has ended can be joined again, and after the deadline`() throws {
    let thread = try WorkerThread(name: "brief") {}
    #expect(thread.join(until: soon))
    #expect(thread.join(until: MonotonicInstant(nanoseconds: 0)))
  }

  @Test func `a job outlives its thread object, and releases what it captured`() throws {
    final class Captured: Sendable {}
    weak var reference: Captured?
    let hasEnded = Watched(false)
    do {
      let captured = Captured()
      reference = captured
      _ = try WorkerThread(name: "alone") {
        withExtendedLifetime(captured) {}
        hasEnded.change { $0 = true }
      }
    }
    #expect(hasEnded.wait { $0 })
    #expect(eventually { reference == nil })
  }

  @Test(arguments: [-1, 0, 1, 2, 1000]) func `running together returns when the job has ended on all threads`(
    atMost count: Int
  ) {
    let startedCount = Watched(0)
    let endedCount = Watched(0)
    WorkerThread.runTogether(name: "together", atMost: count) {
      startedCount.change { $0 += 1 }
      endedCount.change { $0 += 1 }
    }
    #expect(endedCount.value == startedCount.value)
    #expect(endedCount.value == max(1, min(count, ProcessorCount.available)))
  }
}

@Suite struct AbandonableWorkTests {
  @Test func `Work that ends returns its value`() {
    #expect(AbandonableWork.value(timeout: 60_000) { _ in 7 } == 7)
  }

  @Test func `Blocked work is abandoned, and can detect that`() {
    let gate = Gate()
    let wasAbandoned = Watched<Bool?>(nil)
    let value = AbandonableWork.value(timeout: 20) { progress in
      gate.pass()
      wasAbandoned.change { $0 = progress.isAbandoned }
      return 7
    }
    #expect(value == nil)
    gate.open()
    #expect(wasAbandoned.wait { $0 == true })
  }
}

extension ProgramLane {
  /// Joining a thread that takes some time.
  @Suite struct ThreadJoiningTests {
    private var soon: MonotonicInstant { MonotonicInstant.now.advanced(byMilliseconds: 60_000) }

    @Test func `joining waits for the end of the job`() throws {
      let gate = Gate()
      let isDone = Watched(false)
      let thread = try WorkerThread(name: "a name that is longer than the system takes") {
        gate.pass()
        isDone.change { $0 = true }
      }
      #expect(!thread.join(until: .now.advanced(byMilliseconds: 5)))
      #expect(!isDone.value)
      gate.open()
      #expect(thread.join(until: soon))
      #expect(isDone.value)
    }
  }
}

extension ProgramLane {
  /// Work that takes some time.
  @Suite struct AbandonableWorkProgressTests {
    @Test func `Work that takes long returns its value while it reports progress`() {
      let value = AbandonableWork.value(timeout: 500) { progress in
        for _ in 0..<60 {
          progress.report()
          MonotonicInstant.now.advanced(byMilliseconds: 20).sleep()
        }
        return progress.isAbandoned
      }
      #expect(value == false)
    }
  }
}
