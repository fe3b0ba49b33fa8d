import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Waiting for events until a moment.
  @Suite struct EventQueueTimeTests {
    /// A pipe: where to read, where to write.
    private let pipe: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

    init() throws { pipe = try FileDescriptor.pipe() }

    private func end() {
      try? pipe.readEnd.close()
      try? pipe.writeEnd.close()
    }

    private func isEvent(_ arrival: EventQueue<Int>.Arrival, _ number: Int) -> Bool {
      if case .event(number) = arrival { true } else { false }
    }

    @Test func `Whoever waits until a moment waits no longer, and takes what was there`() throws {
      defer { end() }
      let queue = try EventQueue<Int>()
      queue.post(7)
      let deadline = MonotonicInstant.now.advanced(byMilliseconds: 20)
      #expect(queue.next(until: .now).map { isEvent($0, 7) } == true)
      #expect(queue.next(orInputFrom: pipe.readEnd, until: deadline) == nil)
      #expect(MonotonicInstant.now >= deadline)
      // What comes before the moment is not waited past.
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
