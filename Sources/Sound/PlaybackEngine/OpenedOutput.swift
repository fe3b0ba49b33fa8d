// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

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
