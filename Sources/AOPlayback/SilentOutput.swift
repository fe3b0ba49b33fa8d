import AudioCore
import Platform

/// Takes sound as fast as it would be heard, and lets nobody hear it.
final class SilentOutput: AudioOutput {
  /// How far the sound may be ahead of the clock, as if a device had a buffer.
  private static let bufferMilliseconds: UInt64 = 50

  let format: DeviceFormat
  let name = "silent"
  let keepsTime = true
  let warning: String?
  var bufferFrames: Int { max(1, format.sampleRate * Int(Self.bufferMilliseconds) / 1000) }
  var periodFrames: Int { max(1, bufferFrames / 2) }
  /// When what was taken will have been heard.
  private var end = MonotonicInstant.now

  init(format: DeviceFormat, warning: String? = nil) {
    self.format = format
    self.warning = warning
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    let frames = UInt64(bytes.count / format.frameByteCount)
    let length = frames * 1_000_000_000 / UInt64(format.sampleRate)
    end = MonotonicInstant(nanoseconds: max(end, .now).nanoseconds + length)
    if end.nanoseconds > Self.bufferMilliseconds * 1_000_000 {
      MonotonicInstant(nanoseconds: end.nanoseconds - Self.bufferMilliseconds * 1_000_000).sleep()
    }
  }

  func close() { end.sleep() }
}
