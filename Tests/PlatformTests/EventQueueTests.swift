// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

struct EventQueueTests {
  /// A pipe with its read and write ends.
  private let pipe: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

  init() throws { pipe = try FileDescriptor.pipe() }

  private func closePipe() {
    try? pipe.readEnd.close()
    try? pipe.writeEnd.close()
  }

  private func isEvent(_ arrival: EventQueue<Int>.Arrival, _ number: Int) -> Bool {
    if case .event(number) = arrival { true } else { false }
  }

  @Test func `Events are returned in the order in which they were posted`() throws {
    defer { closePipe() }
    let queue = try EventQueue<Int>()
    for number in 0..<200_000 { queue.post(number) }
    // More than fits into a pipe: posting must not block.
    for number in 0..<3 { #expect(isEvent(queue.next(), number)) }
    queue.post(-1)
    for number in 3..<1_000 where !isEvent(queue.next(), number) { Issue.record("\(number) is missing") }
  }

  @Test func `Events come before input, and input when there are none`() throws {
    defer { closePipe() }
    let queue = try EventQueue<Int>()
    try pipe.writeEnd.writeAll([1, 2, 3])
    queue.post(7)
    #expect(isEvent(queue.next(orInputFrom: pipe.readEnd), 7))
    guard case .input(let bytes) = queue.next(orInputFrom: pipe.readEnd) else {
      Issue.record("there is input")
      return
    }
    #expect(bytes == [1, 2, 3])
  }

  @Test func `The end of the input is returned`() throws {
    let queue = try EventQueue<Int>()
    try pipe.writeEnd.close()
    defer { try? pipe.readEnd.close() }
    guard case .inputEnded = queue.next(orInputFrom: pipe.readEnd) else {
      Issue.record("there is no input")
      return
    }
    queue.post(1)
    #expect(isEvent(queue.next(orInputFrom: pipe.readEnd), 1))
  }

  @Test func `A waiting thread is woken by others, and nothing is lost`() throws {
    defer { closePipe() }
    let queue = try EventQueue<Int>()
    let count = 5_000
    let posters = try (0..<4).map { _ in
      try WorkerThread(name: "poster") { for _ in 0..<count { queue.post(1) } }
    }
    var sum = 0
    while sum < 4 * count { if case .event(let number) = queue.next() { sum += number } }
    #expect(posters.allSatisfy { $0.join(until: MonotonicInstant.now.advanced(byMilliseconds: 60_000)) })
  }
}

extension ProgramLane {
  /// Waiting for events until a deadline.
  @Suite struct EventQueueTimeTests {
    /// A pipe with its read and write ends.
    private let pipe: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

    init() throws { pipe = try FileDescriptor.pipe() }

    private func closePipe() {
      try? pipe.readEnd.close()
      try? pipe.writeEnd.close()
    }

    private func isEvent(_ arrival: EventQueue<Int>.Arrival, _ number: Int) -> Bool {
      if case .event(number) = arrival { true } else { false }
    }

    @Test func `A wait with a deadline ends at it, and returns what was posted before`() throws {
      defer { closePipe() }
      let queue = try EventQueue<Int>()
      queue.post(7)
      let deadline = MonotonicInstant.now.advanced(byMilliseconds: 20)
      #expect(queue.next(until: .now).map { isEvent($0, 7) } == true)
      #expect(queue.next(orInputFrom: pipe.readEnd, until: deadline) == nil)
      #expect(MonotonicInstant.now >= deadline)
      // An event before the deadline is not missed.
      let later = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
      _ = try WorkerThread(name: "poster") {
        deadline.advanced(byMilliseconds: 50).sleep()
        queue.post(8)
      }
      #expect(queue.next(orInputFrom: pipe.readEnd, until: later).map { isEvent($0, 8) } == true)
      try pipe.writeEnd.writeAll([1])
      guard case .input = queue.next(orInputFrom: pipe.readEnd, until: later) else {
        Issue.record("there is input")
        return
      }
    }
  }
}
