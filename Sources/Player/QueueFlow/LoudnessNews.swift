import Synchronization

/// Hands on that more loudness is known to one who comes later than the book of it.
final class LoudnessNews: Sendable {
  private struct Receiver: Sendable {
    let receive: @Sendable () -> Void
  }

  private let receiver = Mutex<Receiver?>(nil)

  /// Has `receive` called from now on.
  func follow(_ receive: @escaping @Sendable () -> Void) {
    receiver.withLock { $0 = Receiver(receive: receive) }
  }

  /// Says that more is known.
  func tell() { receiver.withLock { $0 }?.receive() }
}
