import Dispatch
import Platform
import Synchronization

/// What several threads have read for the one that writes; those who are too far ahead of it wait.
final class ScanInbox: Sendable {
  private static let limit = 512
  /// How many messages that bring nothing to write are left for the writer's next look.
  private static let lull = 256

  private struct State {
    var messages: [ScanMessage] = []
    var weight = 0
    var waiting = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()
  private let space = DispatchSemaphore(value: 0)

  /// Hands a message over; blocks where the writer is behind.
  func post(_ message: ScanMessage) {
    let (isUrgent, isFull) = state.withLock { state in
      state.messages.append(message)
      state.weight += message.weight
      let isUrgent = message.weight > 1 || state.messages.count % Self.lull == 0
      guard state.weight > Self.limit else { return (isUrgent, false) }
      state.waiting += 1
      return (true, true)
    }
    if isUrgent { signal.wake() }
    if isFull { space.wait() }
  }

  /// Says that nothing will follow.
  func close() {
    state.withLock { $0.isClosed = true }
    signal.wake()
  }

  /// What was handed over since the last time, after waiting for it until `deadline`; `nil` where nothing will follow.
  func take(until deadline: MonotonicInstant) -> [ScanMessage]? {
    while true {
      let (messages, waiting, isClosed) = state.withLock { state in
        let taken = (state.messages, state.waiting, state.isClosed)
        state.messages = []
        state.weight = 0
        state.waiting = 0
        return taken
      }
      for _ in 0..<waiting { space.signal() }
      if !messages.isEmpty { return messages }
      if isClosed { return nil }
      if !signal.wait(until: deadline) { return [] }
    }
  }
}
