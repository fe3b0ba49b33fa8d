// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The length of a driver's buffer. A longer one delays pause and volume changes; a shorter one wakes the program more
/// often.
///
/// Measured with libao 1.2.2 and PulseAudio 16.1, playing a FLAC of 44.1 kHz, in context switches per second and CPU
/// load, on a sink whose latency PulseAudio chooses; mpd had 71 and 0.28 % in the same run, and decoding alone takes
/// 0.10 %:
///
/// | | 200 ms | 300 ms | 400 ms | 500 ms |
/// |---|---|---|---|---|
/// | pulse | 59, 0.34 % | 42, 0.28 % | 30, 0.23 % | 26, 0.21 % |
/// | alsa, through PulseAudio, in real time | | 66, 0.52 % | 50, 0.41 % | |
///
/// Later, in one run with mpd at 0.167 %, on another machine: 400 ms 0.179 %, 500 ms 0.165 %, 600 ms 0.158 %, 800 ms
/// 0.149 %. 500 ms is the shortest length that takes no more than mpd does.
///
/// A command becomes audible after this length plus one period at most.
struct DriverBuffer: Sendable {
  /// The permitted range of a requested length. With less, a busy machine causes underruns; with more, a pause takes
  /// too long.
  static let range: ClosedRange<Duration> = .milliseconds(50) ... .milliseconds(2000)

  /// The length requested from the driver, in milliseconds.
  let milliseconds: Int
  /// The maximum length that the driver may actually use, in milliseconds: drivers round.
  private let maximumMilliseconds: Int
  /// The best amount of audio to write at once, in milliseconds.
  private let periodMilliseconds: Int
  /// The maximum size that the driver may use, in bytes, whatever is requested.
  private let maximumBytes: Int
  /// The driver option that requests the length; `nil` if the driver has none.
  let option: (key: String, value: String)?

  /// Creates the buffer for the driver named `driver`.
  ///
  /// - Parameter requested: The length that the user requests, limited to ``range``; `nil` for the driver's default.
  /// - Parameter pulseLatency: The length in the user's `$PULSE_LATENCY_MSEC`, in milliseconds, at least 1; libpulse
  ///   gives it precedence over everything else.
  init(driver: String, requested: Duration?, pulseLatency: Int? = nil) {
    let requested = requested.map { Self.milliseconds(of: min(max($0, Self.range.lowerBound), Self.range.upperBound)) }
    switch driver {
    case "pulse":
      let length = pulseLatency ?? requested ?? Self.defaultServerLength
      // PulseAudio passes audio on to the sink in larger pieces: smaller periods hardly wake the program more often.
      self.init(requested: length, maximum: length, period: max(1, length / 5), maximumBytes: Self.pulseQueueBytes)
    case "alsa":
      // libao requests periods of a quarter, and the pulse plug-in buffers one period more than it says.
      let length = requested ?? Self.defaultLength
      self.init(
        requested: length, maximum: length * 5 / 4, period: length / 4, option: ("buffer_time", "\(length)"))
    case "oss":
      // libao requests four fragments of this length, which it rounds down to a power of two.
      let length = requested ?? Self.defaultLength
      self.init(
        requested: length, maximum: length, period: length / 8, option: ("buffer_time", "\(max(1, length / 4))"))
    case "macosx":
      let length = requested ?? Self.defaultLength
      self.init(requested: length, maximum: length, period: length / 4, option: ("buffer_time", "\(length)"))
    default:
      // The length of these drivers' buffers can be neither requested nor read: half a second is more than any is known
      // to buffer.
      self.init(requested: 500, maximum: 500, period: 20)
    }
  }

  private init(
    requested: Int, maximum: Int, period: Int, maximumBytes: Int = .max, option: (key: String, value: String)? = nil
  ) {
    milliseconds = requested
    maximumMilliseconds = maximum
    periodMilliseconds = period
    self.maximumBytes = maximumBytes
    self.option = option
  }

  /// Returns the maximum number of frames of `format` that the driver buffers; at least 1.
  func frames(_ format: DeviceFormat) -> Int {
    let frames = Self.frames(maximumMilliseconds, format.sampleRate)
    return max(1, min(frames, maximumBytes / max(1, format.frameByteCount)))
  }

  /// Returns the best number of frames of `format` to write at once; from 1 to ``frames(_:)``.
  func periodFrames(_ format: DeviceFormat) -> Int {
    min(frames(format), max(1, Self.frames(periodMilliseconds, format.sampleRate)))
  }

  /// The default length for drivers without a server, in milliseconds.
  private static let defaultLength = 300
  /// The default length for sound servers, in milliseconds. Each request from a server wakes two threads, of which
  /// libpulse's is the more expensive one.
  private static let defaultServerLength = 500

  /// The size of PulseAudio's longest queue, in bytes (`MAX_MEMBLOCKQ_LENGTH` in its protocol-native.c).
  private static let pulseQueueBytes = 4 << 20

  private static func frames(_ milliseconds: Int, _ sampleRate: Int) -> Int {
    let (product, isTooMany) = milliseconds.multipliedReportingOverflow(by: sampleRate)
    return isTooMany ? .max : product / 1000
  }

  private static func milliseconds(of duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

/// The environment variable that sets the length of PulseAudio's buffer: the only way to request one through libao.
///
/// By itself, libao requests 20 ms, which a busy machine cannot sustain. Above 107 kHz, where its arithmetic overflows,
/// it requests seconds. For the same reason its own option is limited to 2,147 frames. The variable takes precedence
/// over both. It also affects ALSA's pulse plug-in, which has a working option of its own.
final class PulseLatency: Sendable {
  private static let name = "PULSE_LATENCY_MSEC"

  static let process = PulseLatency(
    read: { Environment.value(name) }, write: { Environment.set(name, to: $0) })

  private let read: @Sendable () -> String?
  private let write: @Sendable (String) -> Void
  /// The value that Segue set last.
  private let lastSet = Mutex("")

  /// Creates a variable that these closures read and write; `read` returns `nil` if the variable is unset or empty.
  init(read: @escaping @Sendable () -> String?, write: @escaping @Sendable (String) -> Void) {
    self.read = read
    self.write = write
  }

  /// Sets the variable to an empty value, unless the user has set it. Call once, before any second thread is started:
  /// from then on only its value changes, because other threads may be reading the environment.
  static func prepare() { Environment.setDefault(name, to: "") }

  /// The length in milliseconds that the user has set; `nil` if there is none, or PulseAudio does not understand it.
  var userMilliseconds: Int? {
    lastSet.withLock { lastSet in
      guard let value = read(), value != lastSet, let number = UInt32(value), number > 0 else {
        return nil
      }
      return Int(number)
    }
  }

  /// Requests a buffer of `milliseconds` for devices opened from now on, or makes no request if it is `nil`. The user's
  /// own setting takes precedence.
  func request(milliseconds: Int?) {
    guard userMilliseconds == nil else { return }
    lastSet.withLock { lastSet in
      lastSet = milliseconds.map { "\($0)" } ?? ""
      write(lastSet)
    }
  }
}
