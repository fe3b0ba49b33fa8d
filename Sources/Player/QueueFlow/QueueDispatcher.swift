public import Flux
public import MusicModel

/// Carries what happens to the queue: first of all *(collection, item)*.
public typealias QueueDispatcher = Dispatcher<QueueAction>

extension QueueDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: QueueDispatcher { sharedQueueDispatcher }
}

private let sharedQueueDispatcher = QueueDispatcher()
