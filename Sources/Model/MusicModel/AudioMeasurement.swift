// SPDX-License-Identifier: GPL-3.0-or-later

/// What was measured of a file, as far as it matters for playing it.
public struct AudioMeasurement: Sendable, Hashable {
  /// The measured gains and peaks or, without a measurement, those of the tags.
  public var replayGain: ReplayGainTags
  /// Where the sound begins and ends; `nil` if that was not measured.
  public var sound: MeasuredSound?

  public init(replayGain: ReplayGainTags = ReplayGainTags(), sound: MeasuredSound? = nil) {
    self.replayGain = replayGain
    self.sound = sound
  }
}

/// The part of a file between the silence at its beginning and the silence at its end.
public struct MeasuredSound: Sendable, Hashable {
  /// The range of plausible thresholds, in dB.
  public static let thresholds = -90.0 ... -20.0

  /// The level below which everything counts as silence, in dB; 0 is full scale.
  public let threshold: Double
  /// The sample rate of the file, in Hz.
  public let sampleRate: Int
  /// The frames from the first to the last one that is not silent; empty if all are silent, or if that could not be
  /// measured.
  public let frames: Range<Int64>
  /// The number of frames in the file.
  public let frameCount: Int64

  /// Creates a measurement; returns `nil` if it is not plausible.
  public init?(threshold: Double, sampleRate: Int, from start: Int64, to end: Int64, of frameCount: Int64) {
    guard Self.thresholds.contains(threshold), (1...100_000_000).contains(sampleRate), 0 <= start, start <= end,
      end <= frameCount
    else { return nil }
    self.threshold = threshold
    self.sampleRate = sampleRate
    frames = start..<end
    self.frameCount = frameCount
  }
}
