import AudioCore
import Platform

/// An output that was opened.
struct OpenedOutput: Sendable, Hashable {
  /// What it is, in words for people.
  var name: String
  /// The format in which it takes samples.
  var format: DeviceFormat
  /// How many frames it holds at most that are not heard yet.
  var bufferFrames: Int
  /// Whether it stays open in a pause, however long that is.
  var isKeptInPause = false
  /// What the user should know of it.
  var warning: String?

  /// Whether it is a device, which plays in time what it holds, and may go and come back.
  var isDevice: Bool { bufferFrames > 0 }

  /// What the engine reports of it.
  var event: EngineEvent {
    .outputOpened(
      name: name, format: format, latency: .seconds(1) * bufferFrames / max(1, format.sampleRate), warning: warning)
  }
}

/// Estimates how much of what a device has taken is not heard yet: libao does not say.
///
/// A device plays in time what it has taken, and never holds more than its buffer: so what is unheard is what was
/// unheard, less the time that has passed, plus what was written, but no more than the buffer. That is right whenever
/// the buffer is full after a write, as it is again and again while writes have to wait.
struct DeviceClock: Sendable {
  /// The device is taken to play this much too slowly: then the estimate rises to the limit that puts it right.
  private static let slowness = 0.9995

  private let framesPerNanosecond: Double
  /// How much the device holds at most, in frames; 0 where it keeps no time.
  let bufferFrames: Int
  private var unheard = 0.0
  private var instant = MonotonicInstant(nanoseconds: 0)
  /// Whether nothing was left when the last write began.
  private(set) var hasRunDry = false

  /// The clock of a device that has taken nothing.
  init(sampleRate: Int, bufferFrames: Int) {
    self.bufferFrames = max(0, bufferFrames)
    framesPerNanosecond = Double(max(1, sampleRate)) / 1e9
  }

  /// How many frames are not heard yet at `now`.
  func unheardFrames(at now: MonotonicInstant) -> Int {
    guard bufferFrames > 0, unheard > 0 else { return 0 }
    let elapsed = now > instant ? Double(now.nanoseconds - instant.nanoseconds) : 0
    return max(0, Int(unheard - elapsed * framesPerNanosecond * Self.slowness))
  }

  /// How long it takes until the frames that are unheard at `now` are heard, in nanoseconds.
  func lag(at now: MonotonicInstant) -> UInt64 {
    UInt64(Double(unheardFrames(at: now)) / framesPerNanosecond)
  }

  /// The device took `frames` between these two moments.
  mutating func took(_ frames: Int, from start: MonotonicInstant, to end: MonotonicInstant) {
    guard bufferFrames > 0 else { return }
    hasRunDry = unheard > 0 && unheardFrames(at: start) == 0
    unheard = Double(min(unheardFrames(at: end) + frames, bufferFrames))
    instant = end
  }
}

/// Counts the attempts to open a device that went, and says when to try again.
struct ReopenBackoff: Sendable, Equatable {
  /// How long to wait before each attempt; before every later one, as long as before the last.
  private static let pauses: [Duration] = [
    .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600), .milliseconds(3200),
    .seconds(5),
  ]

  private var attempts = 0

  /// How long to wait before the next attempt.
  mutating func nextPause() -> Duration {
    defer { attempts += 1 }
    return Self.pauses[min(attempts, Self.pauses.count - 1)]
  }
}
