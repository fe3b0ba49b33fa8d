import Platform
import Testing

@testable import AOPlayback

struct SilentTailTests {
  private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

  private func tail(_ driver: String = "pulse") throws -> SilentTail {
    try #require(SilentTail(driver: driver, bufferFrames: 1000, sampleRate: 10_000))
  }

  @Test func `Where nothing was written, nothing follows`() throws {
    #expect(try tail().silence == 0)
    #expect(try tail("alsa").silence == 0)
  }

  @Test func `A sound that is shorter than the buffer is made as long`() throws {
    var tail = try tail()
    tail.write(50, at: start)
    #expect(tail.silence == 950)
    tail.write(50, at: start)
    #expect(tail.silence == 900)
  }

  @Test func `Half a buffer follows a long sound`() throws {
    var tail = try tail()
    for _ in 0..<30 { tail.write(100, at: start) }
    #expect(tail.silence == 500)
  }

  @Test func `A sound after the buffer ran dry counts anew`() throws {
    var tail = try tail()
    for _ in 0..<30 { tail.write(100, at: start) }
    // What was written lasts for 300 ms.
    tail.write(100, at: start.advanced(byMilliseconds: 299))
    #expect(tail.silence == 500)
    tail.write(100, at: start.advanced(byMilliseconds: 320))
    #expect(tail.silence == 900)
  }

  @Test func `A quarter of the buffer follows any sound through ALSA, and nothing through others`() throws {
    var tail = try tail("alsa")
    tail.write(1, at: start)
    #expect(tail.silence == 250)
    #expect(SilentTail(driver: "oss", bufferFrames: 1000, sampleRate: 10_000) == nil)
  }
}
