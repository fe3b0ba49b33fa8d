// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// Finds the first and the last frame of a file that is not silent.
struct SoundEnds {
  private let threshold: Double
  /// The threshold as a factor; 1.0 is full scale.
  private let level: Float
  private var frameCount: Int64 = 0
  private var start: Int64?
  private var end: Int64 = 0

  /// Starts a measurement in which everything below `threshold`, in dB, is silence.
  init(threshold: Double) {
    self.threshold = threshold
    level = Float(Decibels.factor(threshold))
  }

  /// Adds the next frames.
  mutating func add(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
    if start == nil, let first = unsafe samples.firstIndex(where: { abs($0) >= level }) {
      start = frameCount + Int64(first / channels)
    }
    if let last = unsafe samples.lastIndex(where: { abs($0) >= level }) {
      end = frameCount + Int64(last / channels) + 1
    }
    frameCount += Int64(samples.count / channels)
  }

  /// Returns the result for a file with this sample rate, in Hz; one without frames unless `isUsable` is set.
  func measured(at sampleRate: Int, isUsable: Bool) -> MeasuredSound? {
    MeasuredSound(
      threshold: threshold, sampleRate: sampleRate, from: isUsable ? start ?? 0 : 0, to: isUsable ? end : 0,
      of: frameCount)
  }
}
