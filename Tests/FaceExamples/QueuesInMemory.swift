// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel

/// Queues of a player without a persister: none is stored, so there are only those that were used since its start.
package struct QueuesInMemory: QueueCollection {
  package init() {}

  package var current: QueueName { .standard }
  package var names: [QueueName] { [.standard] }
  package func repository(of name: QueueName) -> any QueueRepository { UnstoredQueue() }
  package func setCurrent(_ name: QueueName) {}
  package func delete(_ name: QueueName) {}
  package func close() {}

  /// A queue that is never stored.
  private struct UnstoredQueue: QueueRepository {
    var damageError: QueueStorageError { QueueStorageError(.unusable, "nothing is stored") }

    func readHeader() -> StoredQueueHeader { StoredQueueHeader(modes: QueueModes(), seed: 1, lastID: 0, volume: nil) }
    func restore() -> StoredQueue? { nil }
    func store(_ queue: StoredQueue) {}
    func store(elapsed: Duration) {}
    func store(volume: Int) {}
    func deleteUnused() {}
    func setAside() -> QueueStorageError { damageError }
    func peek() -> StoredQueue? { nil }
    func peekHeader() -> StoredQueueHeader? { nil }
    func close() {}
  }
}
