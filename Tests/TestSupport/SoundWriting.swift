// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore

/// Writes audio to outputs.
public enum SoundWriting {
  /// Returns the format of a device.
  public static func format(_ depth: SampleDepth, rate: Int = 44_100, channels: Int = 2) -> DeviceFormat {
    DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
  }

  /// Returns `count` bytes of sound.
  public static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  /// Writes all of `bytes`.
  public static func write(_ bytes: [UInt8], to output: any AudioOutput) throws {
    // With a closure that throws `OutputError` only, the compiler crashes (Swift 6.3.1).
    let result = bytes.withUnsafeBytes { buffer in
      Result { try output.write(buffer) }
    }
    try result.get()
  }
}
