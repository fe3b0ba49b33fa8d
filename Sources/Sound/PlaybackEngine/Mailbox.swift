import DequeModule
import Platform
import Synchronization

/// Messages for one thread, which sleeps until there are some. Not for the render loop: it takes a lock.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex(Deque<Message>())
  private let signal: ThreadSignal

  /// A mailbox whose owner is woken by `signal`.
  init(waking signal: ThreadSignal) { self.signal = signal }

  /// Adds a message and wakes the owner. From any thread.
  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    signal.wake()
  }

  /// Whether no message waits. Owner only: others may add one meanwhile.
  var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Whether such a message waits. Owner only.
  func contains(where isSuch: (Message) -> Bool) -> Bool { messages.withLock { $0.contains(where: isSuch) } }

  /// Takes the oldest message, if there is one. Owner only.
  func take() -> Message? {
    messages.withLock { $0.popFirst() }
  }
}
