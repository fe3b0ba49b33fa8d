// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// A description of an output that was opened.
struct OpenedOutput: Sendable, Hashable {
  /// The name of the output, for the user.
  var name: String
  /// The format of the samples that the output accepts.
  var format: DeviceFormat
  /// The maximum number of frames that the output buffers; 0 if it is not real-time.
  var bufferFrames: Int
  /// The maximum time until a command is audible; `nil` if it has to wait until the buffer has been played.
  var commandLatency: Duration?
  /// Whether the output stays open during a pause, however long.
  var staysOpenInPause = false
  /// A warning for the user about how the output was opened; `nil` if there is none.
  var warning: String?

  /// Whether the output is a device, which plays in real time, and may be lost and come back.
  var isDevice: Bool { bufferFrames > 0 }

  /// The event that the engine emits when the output has been opened.
  var event: EngineEvent {
    .outputOpened(
      name: name, format: format,
      latency: commandLatency ?? .seconds(1) * bufferFrames / max(1, format.sampleRate), warning: warning)
  }
}

/// Estimates how many frames a device still has to play, since libao does not report that.
///
/// A device plays in real time, and never holds more than its buffer. So the number of unplayed frames is the earlier
/// number, less the time that has passed, plus the frames that were written, and at most the buffer. The estimate is
/// exact whenever the buffer is full after a write, which happens again and again while writes have to wait.
struct DeviceClock: Sendable {
  /// The assumed speed of the device. It is slightly too low, so that the estimate rises to the limit, which corrects
  /// it.
  private static let slownessFactor = 0.9995

  private let framesPerNanosecond: Double
  /// The maximum number of frames that the device buffers; 0 if it is not real-time.
  let bufferFrames: Int
  private var unplayed = 0.0
  private var instant = MonotonicInstant(nanoseconds: 0)
  /// Whether the device had run out of audio when the last write began.
  private(set) var hasRunDry = false

  /// Creates the clock of a device to which nothing has been written.
  init(sampleRate: Int, bufferFrames: Int) {
    self.bufferFrames = max(0, bufferFrames)
    framesPerNanosecond = Double(max(1, sampleRate)) / 1e9
  }

  /// Returns the number of frames that have not been played yet at `now`.
  func unplayedFrames(at now: MonotonicInstant) -> Int {
    guard bufferFrames > 0, unplayed > 0 else { return 0 }
    let elapsed = now > instant ? Double(now.nanoseconds - instant.nanoseconds) : 0
    return max(0, Int(unplayed - elapsed * framesPerNanosecond * Self.slownessFactor))
  }

  /// Returns how long it takes to play the frames that are left at `now`, in nanoseconds.
  func lag(at now: MonotonicInstant) -> UInt64 {
    UInt64(Double(unplayedFrames(at: now)) / framesPerNanosecond)
  }

  /// Records that `frames` frames were written between `start` and `end`.
  mutating func recordWrite(of frames: Int, from start: MonotonicInstant, to end: MonotonicInstant) {
    guard bufferFrames > 0 else { return }
    hasRunDry = unplayed > 0 && unplayedFrames(at: start) == 0
    unplayed = Double(min(unplayedFrames(at: end) + frames, bufferFrames))
    instant = end
  }
}

/// The back-off between attempts to reopen a lost device.
struct ReopenBackoff: Sendable, Equatable {
  /// The delay before each attempt; the last one is repeated.
  private static let pauses: [Duration] = [
    .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600), .milliseconds(3200),
    .seconds(5),
  ]

  private var attempts = 0

  /// Returns the delay before the next attempt.
  mutating func nextPause() -> Duration {
    defer { attempts += 1 }
    return Self.pauses[min(attempts, Self.pauses.count - 1)]
  }
}
