// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

@Suite struct WorkerTests {
  /// An instant that is later than any wait may take.
  private var soon: MonotonicInstant { MonotonicInstant.now.advanced(byMilliseconds: 60_000) }
  private let performed = Watched<[Int]>([])
  private let worker = Worker<[Int]>(named: "numbers", [])

  /// Starts the worker, which performs numbers in order. Each waits at `gate`.
  private func start(_ gate: Gate = Gate(isOpen: true)) throws {
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [performed] number in
      gate.pass()
      performed.change { $0.append(number) }
    }
  }

  @Test func `jobs posted before or after the start are performed in order, and a second start has no effect`() throws {
    worker.post { $0 += [1, 2] }
    try start()
    try worker.start(taking: { $0.popLast() }) { _ in Issue.record("there is a second thread") }
    worker.post { $0.append(3) }
    #expect(performed.wait { $0 == [1, 2, 3] })
    worker.close()
    #expect(worker.join(until: soon))
  }

  @Test func `of jobs posted during another one, a worker can hold only the newest`() throws {
    let gate = Gate()
    let worker = Worker<Int?>(named: "newest", nil)
    try worker.start(taking: { $0.take() }) { [performed] number in
      gate.pass()
      performed.change { $0.append(number) }
    }
    worker.post { $0 = 1 }
    #expect(gate.awaitArrival())
    for number in 2...5 { worker.post { $0 = number } }
    gate.open()
    #expect(performed.wait { $0 == [1, 5] })
    worker.close()
  }

  @Test(arguments: [false, true]) func `closing ends the thread after its job, or after all posted jobs`(
    whenIdle: Bool
  ) throws {
    let gate = Gate()
    try start(gate)
    worker.post { $0 += [1, 2, 3] }
    #expect(gate.awaitArrival())
    #expect(!worker.isClosed)
    if whenIdle { worker.closeWhenIdle() } else { worker.close() }
    #expect(worker.isClosed)
    gate.open()
    #expect(worker.join(until: soon))
    #expect(performed.value == (whenIdle ? [1, 2, 3] : [1]))
  }

  @Test func `a worker that is closed does not start`() throws {
    worker.close()
    worker.post { $0.append(1) }
    try start()
    #expect(worker.join(until: soon))
    #expect(performed.value.isEmpty)
  }

  @Test func `a thread sleeps until the instant that its step returns, or until it is woken`() throws {
    let clock = ManualClock()
    let worker = Worker<Int>(named: "steps", 0, clock: clock)
    let dueTime = MonotonicInstant(nanoseconds: 0).advanced(byMilliseconds: 10)
    try worker.start { [performed] in
      let count = worker.withPending { $0 }
      performed.change { $0.append(count) }
      return clock.now < dueTime ? dueTime : nil
    }
    #expect(clock.awaitSleeper(untilMilliseconds: 10))
    // Nothing is due, and the thread is not woken.
    worker.withPending { $0 = 1 }
    clock.advance(byMilliseconds: 9)
    #expect(performed.value == [0])
    worker.wake()
    #expect(performed.wait { $0 == [0, 1] })
    #expect(clock.awaitSleeper(untilMilliseconds: 10))
    clock.advance(byMilliseconds: 1)
    #expect(performed.wait { $0 == [0, 1, 1] })
    worker.post { $0 = 2 }
    #expect(performed.wait { $0 == [0, 1, 1, 2] })
    worker.close()
    #expect(worker.join(until: soon))
  }

  @Test func `a worker that has ended releases what its jobs captured`() throws {
    final class Captured: Sendable {}
    weak var reference: Captured?
    let worker = Worker<Int?>(named: "held", nil)
    do {
      let captured = Captured()
      reference = captured
      try worker.start(taking: { $0.take() }) { _ in withExtendedLifetime(captured) {} }
    }
    #expect(reference != nil)
    worker.close()
    #expect(eventually { reference == nil })
  }
}
