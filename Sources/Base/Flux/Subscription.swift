import Synchronization

/// Keeps its owner subscribed: cancelling or releasing it unsubscribes.
///
/// May be cancelled from any thread, and more than once.
public final class Subscription: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// A subscription that calls `onCancel` once, when it is cancelled or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Mutex(onCancel)
  }

  deinit { cancel() }

  /// Unsubscribes. A delivery that another thread has begun is not waited for.
  public func cancel() {
    let onCancel = onCancel.withLock { $0.take() }
    onCancel?()
  }
}
