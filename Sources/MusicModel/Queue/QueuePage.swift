/// A piece of a queue that never changes: what an edit leaves alone is shared by the queue before and the queue after it.
///
/// Whoever keeps queues writes each page once: pages are told apart by identity.
public final class QueuePage: Sendable {
  /// The page in a form to be kept.
  public let bytes: [UInt8]

  /// The page that was kept as `bytes`.
  public init(bytes: [UInt8]) { self.bytes = bytes }
}
