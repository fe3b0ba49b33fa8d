// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

@Suite struct WorkerTests {
  private var soon: MonotonicInstant { MonotonicInstant.now.advanced(byMilliseconds: 60_000) }
  private let done = Watched<[Int]>([])
  private let worker = Worker<[Int]>(named: "numbers", [])

  /// Performs numbers in order; each waits at `gate`.
  private func start(_ gate: Gate = Gate(isOpen: true)) throws {
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [done] number in
      gate.pass()
      done.change { $0.append(number) }
    }
  }

  @Test func `jobs are performed in order, also those posted before the start, which counts once`() throws {
    worker.post { $0 += [1, 2] }
    try start()
    try worker.start(taking: { $0.popLast() }) { _ in Issue.record("there is a second thread") }
    worker.post { $0.append(3) }
    #expect(done.wait { $0 == [1, 2, 3] })
    worker.close()
    #expect(worker.join(until: soon))
  }

  @Test func `of jobs posted during another one, a worker can hold only the newest`() throws {
    let gate = Gate()
    let worker = Worker<Int?>(named: "newest", nil)
    try worker.start(taking: { $0.take() }) { [done] number in
      gate.pass()
      done.change { $0.append(number) }
    }
    worker.post { $0 = 1 }
    #expect(gate.awaitArrival())
    for number in 2...5 { worker.post { $0 = number } }
    gate.open()
    #expect(done.wait { $0 == [1, 5] })
    worker.close()
  }

  @Test(arguments: [false, true]) func `closing ends the thread after its job, or after all posted jobs`(
    whenIdle isLate: Bool
  ) throws {
    let gate = Gate()
    try start(gate)
    worker.post { $0 += [1, 2, 3] }
    #expect(gate.awaitArrival())
    #expect(!worker.isClosed)
    if isLate { worker.closeWhenIdle() } else { worker.close() }
    #expect(worker.isClosed)
    gate.open()
    #expect(worker.join(until: soon))
    #expect(done.value == (isLate ? [1, 2, 3] : [1]))
  }

  @Test func `a worker that is closed does not start`() throws {
    worker.close()
    worker.post { $0.append(1) }
    try start()
    #expect(worker.join(until: soon))
    #expect(done.value.isEmpty)
  }

  @Test func `a thread sleeps until the instant that its step returns, or until it is woken`() throws {
    let clock = ManualClock()
    let worker = Worker<Int>(named: "steps", 0, clock: clock)
    let moment = MonotonicInstant(nanoseconds: 0).advanced(byMilliseconds: 10)
    try worker.start { [done] in
      let count = worker.withPending { $0 }
      done.change { $0.append(count) }
      return clock.now < moment ? moment : nil
    }
    #expect(clock.awaitSleeper(untilMilliseconds: 10))
    // Nothing is due, and nobody is woken.
    worker.withPending { $0 = 1 }
    clock.advance(byMilliseconds: 9)
    #expect(done.value == [0])
    worker.wake()
    #expect(done.wait { $0 == [0, 1] })
    #expect(clock.awaitSleeper(untilMilliseconds: 10))
    clock.advance(byMilliseconds: 1)
    #expect(done.wait { $0 == [0, 1, 1] })
    worker.post { $0 = 2 }
    #expect(done.wait { $0 == [0, 1, 1, 2] })
    worker.close()
    #expect(worker.join(until: soon))
  }

  @Test func `a worker that has ended releases what its jobs captured`() throws {
    final class Held: Sendable {}
    weak var weakly: Held?
    let worker = Worker<Int?>(named: "held", nil)
    do {
      let held = Held()
      weakly = held
      try worker.start(taking: { $0.take() }) { _ in withExtendedLifetime(held) {} }
    }
    #expect(weakly != nil)
    worker.close()
    let deadline = soon
    while weakly != nil, MonotonicInstant.now < deadline {}
    #expect(weakly == nil)
  }
}
