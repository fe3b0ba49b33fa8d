// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// An output that discards audio at the speed at which it would be played, or at a multiple of it.
final class SilentOutput: AudioOutput {
  /// How far audio may be ahead of the clock, in milliseconds; it takes the place of a device's buffer.
  private static let bufferMilliseconds: UInt64 = 50

  let format: DeviceFormat
  let name = "silent"
  let isRealTime = true
  let warning: String?
  var bufferFrames: Int { max(1, format.sampleRate * Int(Self.bufferMilliseconds) / 1000) }
  var periodFrames: Int { max(1, bufferFrames / 2) }
  private let speed: Int
  private let clock: any MonotonicClock
  /// The instant at which everything accepted so far would have been played.
  private var end: MonotonicInstant

  /// Creates an output for `format` that runs at `speed` times the normal speed.
  init(format: DeviceFormat, speed: Int = 1, warning: String? = nil, clock: any MonotonicClock) {
    self.format = format
    self.speed = max(1, speed)
    self.warning = warning
    self.clock = clock
    end = clock.now
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    let frames = UInt64(bytes.count / format.frameByteCount)
    let length = frames * 1_000_000_000 / UInt64(format.sampleRate * speed)
    end = MonotonicInstant(nanoseconds: max(end, clock.now).nanoseconds + length)
    if end.nanoseconds > Self.bufferMilliseconds * 1_000_000 {
      clock.sleep(until: MonotonicInstant(nanoseconds: end.nanoseconds - Self.bufferMilliseconds * 1_000_000))
    }
  }

  func close() { clock.sleep(until: end) }
}
