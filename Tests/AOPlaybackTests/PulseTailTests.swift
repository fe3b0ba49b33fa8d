import Platform
import Testing

@testable import AOPlayback

struct PulseTailTests {
  private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

  @Test func `Where nothing was written, nothing follows`() {
    #expect(PulseTail(bufferFrames: 1000, sampleRate: 10_000).silence == 0)
  }

  @Test func `A sound that is shorter than the buffer is made as long`() {
    var tail = PulseTail(bufferFrames: 1000, sampleRate: 10_000)
    tail.write(50, at: start)
    #expect(tail.silence == 950)
    tail.write(50, at: start)
    #expect(tail.silence == 900)
  }

  @Test func `Half a buffer follows a long sound`() {
    var tail = PulseTail(bufferFrames: 1000, sampleRate: 10_000)
    for _ in 0..<30 { tail.write(100, at: start) }
    #expect(tail.silence == 500)
  }

  @Test func `A sound after the buffer ran dry counts anew`() {
    var tail = PulseTail(bufferFrames: 1000, sampleRate: 10_000)
    for _ in 0..<30 { tail.write(100, at: start) }
    // What was written lasts for 300 ms.
    tail.write(100, at: start.advanced(byMilliseconds: 299))
    #expect(tail.silence == 500)
    tail.write(100, at: start.advanced(byMilliseconds: 320))
    #expect(tail.silence == 900)
  }
}
