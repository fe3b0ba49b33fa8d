import Synchronization

/// Tells those who measure to end.
final class GainCancellation: Sendable {
  private let isAsked = Atomic(false)

  var isCancelled: Bool { isAsked.load(ordering: .relaxed) }

  func cancel() { isAsked.store(true, ordering: .relaxed) }
}
