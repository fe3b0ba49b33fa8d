import AudioCore
import Platform
import TestSupport
import Testing

@Suite struct ReportRingTests {
  @Test(arguments: [1, 2, 5])
  func `reports come out in order, and a full ring takes none`(capacity: Int) {
    let ring = ReportRing<Int>(capacity: capacity)
    for round in 0..<7 {
      for number in 0..<capacity { #expect(ring.push(round * capacity + number)) }
      #expect(!ring.push(-1))
      for number in 0..<capacity { #expect(ring.pop() == round * capacity + number) }
      #expect(ring.pop() == nil)
    }
  }

  @Test func `between two threads no report is lost or repeated`() throws {
    let ring = ReportRing<Int>(capacity: 8)
    let count = 100_000
    let (pushed, popped) = (ThreadSignal(), ThreadSignal())
    let heard = Watched<[Int]>([])
    let producer = try WorkerThread(name: "producer") {
      for number in 0..<count {
        while !ring.push(number) { popped.wait() }
        pushed.wake()
      }
    }
    let consumer = try WorkerThread(name: "consumer") {
      var numbers: [Int] = []
      while numbers.count < count {
        if let number = ring.pop() {
          numbers.append(number)
          popped.wake()
        } else {
          pushed.wait()
        }
      }
      heard.change { $0 = numbers }
    }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    #expect(producer.join(until: deadline) && consumer.join(until: deadline))
    #expect(heard.value.elementsEqual(0..<count))
  }
}
