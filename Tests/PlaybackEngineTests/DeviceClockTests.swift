import AudioCore
import Platform
import Testing

@testable import PlaybackEngine

@Suite struct DeviceClockTests {
  private func at(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func `what was written is unheard until time has passed`() {
    var clock = DeviceClock(sampleRate: 1000, bufferFrames: 100)
    #expect(clock.unheardFrames(at: at(0)) == 0)
    clock.took(50, from: at(0), to: at(0))
    #expect(clock.unheardFrames(at: at(0)) == 50)
    #expect((30...31).contains(clock.unheardFrames(at: at(20))))
    #expect(clock.unheardFrames(at: at(60)) == 0)
    #expect((30_000_000...31_000_000).contains(clock.lag(at: at(20))))
  }

  @Test func `no device holds more than its buffer`() {
    var clock = DeviceClock(sampleRate: 1000, bufferFrames: 100)
    for _ in 0..<10 { clock.took(50, from: at(0), to: at(0)) }
    #expect(clock.unheardFrames(at: at(0)) == 100)
    var file = DeviceClock(sampleRate: 1000, bufferFrames: 0)
    file.took(50, from: at(0), to: at(0))
    #expect(file.unheardFrames(at: at(0)) == 0 && file.lag(at: at(0)) == 0)
  }

  @Test func `it has run dry where nothing was left at a write, but not at the first`() {
    var clock = DeviceClock(sampleRate: 1000, bufferFrames: 100)
    clock.took(50, from: at(0), to: at(0))
    #expect(!clock.hasRunDry)
    clock.took(50, from: at(20), to: at(20))
    #expect(!clock.hasRunDry)
    clock.took(50, from: at(200), to: at(200))
    #expect(clock.hasRunDry)
    clock.took(50, from: at(220), to: at(220))
    #expect(!clock.hasRunDry)
  }

  @Test func `written in time, it stays at the size of the buffer`() {
    var clock = DeviceClock(sampleRate: 44_100, bufferFrames: 4410)
    for _ in 0..<5 { clock.took(882, from: at(0), to: at(0)) }
    for write in 1...5000 as ClosedRange<UInt64> {
      clock.took(882, from: at(20 * write - 20), to: at(20 * write))
      #expect(abs(clock.unheardFrames(at: at(20 * write)) - 4410) < 4)
    }
  }
}
