import TestSupport
import Testing

@testable import QueueStorage

struct PageNumbersTests {
  @Test func `Any numbers come back from their bytes`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let bits = UInt64.random(in: 1...64, using: &generator)
      let numbers = (0..<20).map { _ in Int64(bitPattern: generator.next() >> (64 - bits)) }
      #expect(PageNumbers.numbers(PageNumbers.bytes(numbers)) == numbers)
    }
    #expect(PageNumbers.numbers(PageNumbers.bytes([.min, .max, 0, -1, .min])) == [.min, .max, 0, -1, .min])
    #expect(PageNumbers.numbers([]) == [])
  }

  @Test func `Pages in a row take a byte each`() { #expect(PageNumbers.bytes(1...1_000).count == 1_000) }

  @Test(arguments: [[0x80], [0xFF, 0xFF], Array(repeating: 0xFF, count: 30)] as [[UInt8]])
  func `Bytes that end amid a number, or make too large a one, are none`(bytes: [UInt8]) {
    #expect(PageNumbers.numbers(bytes) == nil)
  }
}
