// SPDX-License-Identifier: GPL-3.0-or-later

public import Platform

/// Estimates how many frames a device still has to play, since libao does not report that.
///
/// A device plays in real time, and never holds more than its buffer. So the number of unplayed frames is the earlier
/// number, less the time that has passed, plus the frames that were written, and at most the buffer. The estimate is
/// exact whenever the buffer is full after a write, which happens again and again while writes have to wait.
public struct DeviceClock: Sendable {
  /// The assumed speed of the device. It is slightly too low, so that the estimate rises to the limit, which corrects
  /// it.
  private static let slownessFactor = 0.9995

  private let framesPerNanosecond: Double
  /// The maximum number of frames that the device buffers; 0 if it is not real-time.
  public let bufferFrames: Int
  private var unplayed = 0.0
  private var instant = MonotonicInstant(nanoseconds: 0)
  /// Whether the device had run out of audio when the last write began.
  public private(set) var hasRunDry = false

  /// Creates the clock of a device to which nothing has been written.
  public init(sampleRate: Int, bufferFrames: Int) {
    self.bufferFrames = max(0, bufferFrames)
    framesPerNanosecond = Double(max(1, sampleRate)) / 1e9
  }

  /// Returns the number of frames that have not been played yet at `now`.
  public func unplayedFrames(at now: MonotonicInstant) -> Int {
    guard bufferFrames > 0, unplayed > 0 else { return 0 }
    let elapsed = now > instant ? Double(now.nanoseconds - instant.nanoseconds) : 0
    return max(0, Int(unplayed - elapsed * framesPerNanosecond * Self.slownessFactor))
  }

  /// Returns whether something was written, and all of it has been played at `now`.
  public func hasPlayedAll(at now: MonotonicInstant) -> Bool { unplayed > 0 && unplayedFrames(at: now) == 0 }

  /// Returns how long it takes to play the frames that are left at `now`, in nanoseconds.
  public func lag(at now: MonotonicInstant) -> UInt64 {
    UInt64(Double(unplayedFrames(at: now)) / framesPerNanosecond)
  }

  /// Records that `frames` frames were written between `start` and `end`.
  public mutating func recordWrite(of frames: Int, from start: MonotonicInstant, to end: MonotonicInstant) {
    guard bufferFrames > 0 else { return }
    hasRunDry = hasPlayedAll(at: start)
    unplayed = Double(min(unplayedFrames(at: end) + frames, bufferFrames))
    instant = end
  }
}
