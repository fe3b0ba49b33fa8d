// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Testing

@testable import AOPlayback

struct DriverBufferTests {
  private func format(_ rate: Int, channels: Int = 2) -> DeviceFormat {
    DeviceFormat(sampleRate: rate, channels: channels, depth: .bits16)
  }

  @Test(arguments: [("pulse", 500, 22_050, 4410), ("alsa", 300, 16_537, 3307), ("oss", 300, 13_230, 1631)])
  func `A driver has a default length`(driver: String, milliseconds: Int, frames: Int, period: Int) {
    let buffer = DriverBuffer(driver: driver, requested: nil)
    #expect(buffer.milliseconds == milliseconds)
    #expect(buffer.frames(format(44_100)) == frames)
    #expect(buffer.periodFrames(format(44_100)) == period)
  }

  @Test(arguments: [
    (Duration.milliseconds(120), 120), (.zero, 50), (.seconds(-3), 50), (.milliseconds(49), 50),
    (.seconds(9), 2000), (.seconds(Int64.max), 2000), (.microseconds(75_900), 75),
  ])
  func `A requested length is limited`(requested: Duration, milliseconds: Int) {
    for driver in ["pulse", "alsa", "oss", "macosx"] {
      #expect(DriverBuffer(driver: driver, requested: requested).milliseconds == milliseconds)
    }
  }

  @Test func `The user's variable for PulseAudio takes precedence over every requested length`() {
    let buffer = DriverBuffer(driver: "pulse", requested: .milliseconds(300), pulseLatency: 30)
    #expect(buffer.milliseconds == 30)
    #expect(buffer.frames(format(48_000)) == 1440)
    #expect(buffer.periodFrames(format(48_000)) == 288)
    #expect(buffer.option == nil)
  }

  @Test func `PulseAudio buffers 4 MiB at most`() {
    let long = DriverBuffer(driver: "pulse", requested: nil, pulseLatency: Int(UInt32.max))
    #expect(long.frames(format(192_000, channels: 8)) == 262_144)
    #expect((1...262_144).contains(long.periodFrames(format(192_000, channels: 8))))
  }

  @Test func `A driver with an option for the length gets it in its own unit`() {
    let alsa = DriverBuffer(driver: "alsa", requested: .milliseconds(400)).option
    #expect(alsa?.key == "buffer_time" && alsa?.value == "400")
    // The option is the length of one of four fragments.
    let oss = DriverBuffer(driver: "oss", requested: .milliseconds(400)).option
    #expect(oss?.key == "buffer_time" && oss?.value == "100")
  }

  @Test func `An unknown driver is assumed to buffer up to half a second, and gets small periods`() {
    let buffer = DriverBuffer(driver: "sndio", requested: .milliseconds(100))
    #expect(buffer.frames(format(44_100)) == 22_050)
    #expect(buffer.periodFrames(format(44_100)) == 882)
    #expect(buffer.option == nil)
  }

  @Test(arguments: ["pulse", "alsa", "oss", "macosx", "sndio"], [1, 10, 8000, 768_000, Int.max])
  func `A period has at least one frame and fits into the buffer`(driver: String, rate: Int) {
    for requested in [nil, Duration.milliseconds(50), .seconds(2)] {
      let buffer = DriverBuffer(driver: driver, requested: requested)
      #expect(buffer.periodFrames(format(rate)) >= 1)
      #expect(buffer.periodFrames(format(rate)) <= buffer.frames(format(rate)))
    }
  }
}

struct SilentTailTests {
  private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

  private func tail(_ driver: String = "pulse") throws -> SilentTail {
    try #require(SilentTail(driver: driver, bufferFrames: 1000, sampleRate: 10_000))
  }

  @Test func `Without audio, no silence follows`() throws {
    #expect(try tail().silence == 0)
    #expect(try tail("alsa").silence == 0)
  }

  @Test func `Audio shorter than the buffer is padded to its length`() throws {
    var tail = try tail()
    tail.write(50, at: start)
    #expect(tail.silence == 950)
    tail.write(50, at: start)
    #expect(tail.silence == 900)
  }

  @Test func `Half a buffer of silence follows long audio`() throws {
    var tail = try tail()
    for _ in 0..<30 { tail.write(100, at: start) }
    #expect(tail.silence == 500)
  }

  @Test func `Audio after an underrun counts from zero`() throws {
    var tail = try tail()
    for _ in 0..<30 { tail.write(100, at: start) }
    // What was written lasts 300 ms.
    tail.write(100, at: start.advanced(byMilliseconds: 299))
    #expect(tail.silence == 500)
    tail.write(100, at: start.advanced(byMilliseconds: 320))
    #expect(tail.silence == 900)
  }

  @Test func `A quarter of the buffer follows any audio through ALSA, and nothing follows through others`() throws {
    var tail = try tail("alsa")
    tail.write(1, at: start)
    #expect(tail.silence == 250)
    #expect(SilentTail(driver: "oss", bufferFrames: 1000, sampleRate: 10_000) == nil)
  }
}
