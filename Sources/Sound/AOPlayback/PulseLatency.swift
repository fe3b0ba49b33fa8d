import Platform
import Synchronization

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
