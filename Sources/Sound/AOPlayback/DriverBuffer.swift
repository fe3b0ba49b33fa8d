import AudioCore
import Platform
import Synchronization

/// How much sound a driver is asked to hold: what pause and volume wait for, beside how often it wakes the program.
///
/// Measured with libao 1.2.2 and PulseAudio 16.1, playing a FLAC of 44.1 kHz, in context switches a second and CPU, on
/// a sink whose latency PulseAudio chooses; mpd had 71 and 0.28 % in the same run, and decoding alone takes 0.10 %:
///
/// | | 200 ms | 300 ms | 400 ms | 500 ms |
/// |---|---|---|---|---|
/// | pulse | 59, 0.34 % | 42, 0.28 % | 30, 0.23 % | 26, 0.21 % |
/// | alsa, through PulseAudio, in real time | | 66, 0.52 % | 50, 0.41 % | |
///
/// Later, in one run with mpd at 0.167 %, on another machine: 400 ms 0.179 %, 500 ms 0.165 %, 600 ms 0.158 %, 800 ms
/// 0.149 %. 500 ms is the shortest that takes no more than mpd does.
///
/// What is commanded is heard after the length and one period at most.
struct DriverBuffer: Sendable {
  /// What a wish for a length is limited to. Below, a busy machine leaves gaps in anything; above, nobody waits for a
  /// pause.
  static let range: ClosedRange<Duration> = .milliseconds(50) ... .milliseconds(2000)

  /// How many milliseconds the driver is asked for.
  let milliseconds: Int
  /// How many milliseconds it holds at most; drivers round.
  private let mostMilliseconds: Int
  /// How many milliseconds are best written at once.
  private let periodMilliseconds: Int
  /// How many bytes it holds at most, whatever it is asked for.
  private let mostBytes: Int
  /// The option of the driver that asks for it, where it has one.
  let option: (key: String, value: String)?

  /// The buffer of the driver named `driver`.
  ///
  /// - Parameter wish: the length that the user wants, limited to ``range``; `nil` for the driver's default.
  /// - Parameter pulseLatency: the length that the user's `$PULSE_LATENCY_MSEC` asks for, in milliseconds, at least 1;
  ///   libpulse puts it before everything else.
  init(driver: String, wish: Duration?, pulseLatency: Int? = nil) {
    let wish = wish.map { Self.milliseconds(of: min(max($0, Self.range.lowerBound), Self.range.upperBound)) }
    switch driver {
    case "pulse":
      let length = pulseLatency ?? wish ?? Self.defaultServerLength
      // What is taken is passed on to the sink in larger pieces: smaller periods hardly wake the program more often.
      self.init(asked: length, most: length, period: max(1, length / 5), mostBytes: Self.pulseQueueBytes)
    case "alsa":
      // libao asks for periods of a quarter, and the pulse plug-in holds one period more than it says.
      let length = wish ?? Self.defaultLength
      self.init(
        asked: length, most: length * 5 / 4, period: length / 4, option: ("buffer_time", "\(length)"))
    case "oss":
      // libao asks for four fragments of this time, which it rounds down to a power of two.
      let length = wish ?? Self.defaultLength
      self.init(
        asked: length, most: length, period: length / 8, option: ("buffer_time", "\(max(1, length / 4))"))
    case "macosx":
      let length = wish ?? Self.defaultLength
      self.init(asked: length, most: length, period: length / 4, option: ("buffer_time", "\(length)"))
    default:
      // They cannot be asked, and none says what it holds: half a second is more than any is known to hold.
      self.init(asked: 500, most: 500, period: 20)
    }
  }

  private init(
    asked: Int, most: Int, period: Int, mostBytes: Int = .max, option: (key: String, value: String)? = nil
  ) {
    milliseconds = asked
    mostMilliseconds = most
    periodMilliseconds = period
    self.mostBytes = mostBytes
    self.option = option
  }

  /// How many frames of `format` the driver holds at most; at least 1.
  func frames(_ format: DeviceFormat) -> Int {
    let frames = Self.frames(mostMilliseconds, format.sampleRate)
    return max(1, min(frames, mostBytes / max(1, format.frameByteCount)))
  }

  /// How many frames of `format` are best written at once; from 1 to ``frames(_:)``.
  func periodFrames(_ format: DeviceFormat) -> Int {
    min(frames(format), max(1, Self.frames(periodMilliseconds, format.sampleRate)))
  }

  /// In milliseconds.
  private static let defaultLength = 300
  /// In milliseconds: each piece that a sound server asks for wakes two threads, and libpulse's is the dearer one.
  private static let defaultServerLength = 500

  /// PulseAudio's longest queue (`MAX_MEMBLOCKQ_LENGTH` of its protocol-native.c).
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

/// PulseAudio's variable for the length of its buffer, the only way through libao to ask for one.
///
/// libao itself asks for 20 ms, in which a busy machine leaves gaps, and above 107 kHz, where its arithmetic overflows,
/// for seconds. Its own option ends at 2,147 frames, for the same reason. The variable goes before both. It also
/// reaches ALSA's pulse plug-in, which has an option of its own that works.
final class PulseLatency: Sendable {
  private static let name = "PULSE_LATENCY_MSEC"

  /// That of this process.
  static let process = PulseLatency(
    read: { Environment.value(name) }, write: { Environment.set(name, to: $0) })

  private let read: @Sendable () -> String?
  private let write: @Sendable (String) -> Void
  /// What was set here last.
  private let own = Mutex("")

  /// A variable that is read and written so; `nil` stands for one that is not set, or empty.
  init(read: @escaping @Sendable () -> String?, write: @escaping @Sendable (String) -> Void) {
    self.read = read
    self.write = write
  }

  /// Makes the variable, empty, where the user has not set it. Once, before any second thread is started: from then on
  /// only its value changes, and others may be reading the environment.
  static func prepare() { Environment.setDefault(name, to: "") }

  /// The milliseconds that the user's variable asks for, or `nil` where it asks for nothing that PulseAudio
  /// understands.
  var ofUser: Int? {
    own.withLock { own in
      guard let value = read(), value != own, let number = UInt32(value), number > 0 else {
        return nil
      }
      return Int(number)
    }
  }

  /// Asks for a buffer of `milliseconds` in what is opened from now on, or for none, unless the user does.
  func ask(for milliseconds: Int?) {
    guard ofUser == nil else { return }
    own.withLock { own in
      own = milliseconds.map { "\($0)" } ?? ""
      write(own)
    }
  }
}
